(** Undirected vertex geography, and so Multiplicity: the mover wins just if every maximum matching
    covers the vertex that the token is on.

    What is modelled. A graph on natural numbers: a board (a list of vertices) and a symmetric
    adjacency. A position has the vertex that the token is on, the chosen vertices, whose turn it
    is, and which vertices the next choice is restricted to (for `opening even`; after one step
    nothing is restricted). The mover steps to a neighbour on the board that is not chosen, which
    becomes chosen; whoever cannot has lost. That is `games/multiplicity/rules.py`, with the numbers from 1
    to the size as the board, and proper multiples and divisors as neighbours ([multiplicity]).

    What is proved.
    - [mover_wins]: where the token stands on a chosen vertex, the mover wins just if every maximum
      matching of it and the unused vertices covers it.
    - [first_step]: anywhere, also with `start_open` and `opening even`, the mover wins just if some
      step leads to a vertex that some maximum matching of the unused vertices misses.
    - [decided]: if the mover does not win, the opponent does.
    - [partner_wins]: where the mover wins, a step to the partner in any maximum matching wins.
    - [tutte_berge]: a set and parts that no edge joins bound every matching ([odd_parts]: by the
      formula of Tutte and Berge).
    - [win_certificate], [loss_certificate]: so a matching and such a set prove a verdict.
    - [walker_win], [walker_loss]: the same anywhere, the first move of `start_open` and
      `opening even` included, in the form of docs/certificates.md: with a walker that is joined to
      the legal steps, and the bound V + A - q. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Numduel Require Import Divisors Finding Game.
Import ListNotations.

(** * Matchings *)

Definition ends (M : list (nat * nat)) : list nat := flat_map (fun e => [fst e; snd e]) M.

Definition covers (M : list (nat * nat)) (v : nat) := In v (ends M).

Lemma covers_dec M v : {covers M v} + {~ covers M v}.
Proof. apply in_dec, Nat.eq_dec. Qed.

Lemma ends_length M : length (ends M) = 2 * length M.
Proof. induction M as [|e M IH]; simpl in *; lia. Qed.

Lemma ends_split M1 e M2 :
  Permutation (ends (M1 ++ e :: M2)) (fst e :: snd e :: ends (M1 ++ M2)).
Proof.
  unfold ends. rewrite !flat_map_app. simpl.
  etransitivity; [symmetry; apply Permutation_middle|]. apply perm_skip.
  symmetry; apply Permutation_middle.
Qed.

Section Graph.

Variable adjacent : nat -> nat -> bool.
Hypothesis symmetric : forall v w, adjacent v w = adjacent w v.

(** Edges between vertices of [U], no two with an end in common. *)
Definition matching (U : list nat) (M : list (nat * nat)) :=
  NoDup (ends M) /\ incl (ends M) U /\ forall v w, In (v, w) M -> adjacent v w = true.

Definition maximum (U : list nat) (M : list (nat * nat)) :=
  matching U M /\ forall N, matching U N -> length N <= length M.

Lemma matching_where U W M :
  matching U M -> (forall v, covers M v -> In v U -> In v W) -> matching W M.
Proof. intros (D & I & A) H. repeat split; auto. intros v C. apply H; auto. Qed.

Lemma matching_nil U : matching U [].
Proof. repeat split; [constructor|intros v []|intros v w []]. Qed.

Lemma add_edge U M v w : matching U M -> adjacent v w = true -> v <> w -> In v U -> In w U ->
  ~ covers M v -> ~ covers M w -> matching U ((v, w) :: M).
Proof.
  intros (D & I & A) E ne Iv Iw Cv Cw. repeat split; simpl.
  - constructor; [|now constructor]. intros [e|C]; [congruence|contradiction].
  - intros x [<-|[<-|X]]; auto.
  - intros x y [e|X]; [now injection e as <- <-|auto].
Qed.

Lemma take_edge U M v : matching U M -> covers M v -> exists w N,
  adjacent v w = true /\ v <> w /\ In w U /\ length M = S (length N) /\
  matching U N /\ ~ covers N v /\ ~ covers N w /\
  (forall x, In (v, x) M \/ In (x, v) M -> x = w) /\
  covers M w /\ forall x, covers N x -> covers M x.
Proof.
  intros (D & I & A) C. unfold covers, ends in C. apply in_flat_map in C as ([a b] & E & C).
  destruct (in_split _ _ E) as (M1 & M2 & ->).
  pose proof (ends_split M1 (a, b) M2) as P. simpl in P.
  apply (Permutation_NoDup P) in D. inversion_clear D as [|? ? Da D'].
  inversion_clear D' as [|? ? Db D]. simpl in Da.
  assert (Iab : incl (a :: b :: ends (M1 ++ M2)) U).
  { intros x X. apply I. eapply Permutation_in; [symmetry; exact P|exact X]. }
  assert (N : matching U (M1 ++ M2)).
  { repeat split; [exact D|intros x X; apply Iab; simpl; auto|].
    intros x y X. apply A. rewrite in_app_iff in *. simpl. tauto. }
  assert (L : length (M1 ++ (a, b) :: M2) = S (length (M1 ++ M2))).
  { rewrite !app_length. simpl. lia. }
  assert (Aab := A a b E).
  assert (one : forall x y, In (x, y) (M1 ++ (a, b) :: M2) ->
    x = a /\ y = b \/ covers (M1 ++ M2) x /\ covers (M1 ++ M2) y).
  { intros x y X. rewrite in_app_iff in X. simpl in X.
    assert (X' : (a, b) = (x, y) \/ In (x, y) (M1 ++ M2)) by (rewrite in_app_iff; tauto).
    destruct X' as [e|X']; [injection e as -> ->; now left|right].
    unfold covers, ends. rewrite !in_flat_map. split; exists (x, y); simpl; auto. }
  assert (more : forall x, In x (a :: b :: ends (M1 ++ M2)) -> covers (M1 ++ (a, b) :: M2) x).
  { intros x X. eapply Permutation_in; [symmetry; exact P|exact X]. }
  unfold covers in *. destruct C as [<-|[<-|[]]]; simpl.
  - exists b, (M1 ++ M2).
    refine (conj Aab (conj _ (conj _ (conj L (conj N (conj _ (conj Db (conj _ (conj _ _)))))))));
      try (apply Iab; simpl; auto); try (intros; apply more; simpl; auto); auto.
    intros x [X|X]; apply one in X as [[? ?]|[? ?]]; try congruence; exfalso; auto.
  - exists a, (M1 ++ M2). rewrite symmetric.
    refine (conj Aab (conj _ (conj _ (conj L (conj N (conj Db (conj _ (conj _ (conj _ _)))))))));
      try (apply Iab; simpl; auto); try (intros; apply more; simpl; auto); auto.
    intros x [X|X]; apply one in X as [[? ?]|[? ?]]; try congruence; exfalso; auto.
Qed.

Lemma missing_head U M v : matching (v :: U) M -> ~ covers M v -> matching U M.
Proof.
  intros H C. eapply matching_where; [exact H|]. intros x X [<-|I]; [contradiction|exact I].
Qed.

(** Every finite graph has a maximum matching. *)
Lemma maximum_exists : forall n U, length U <= n -> exists M, maximum U M.
Proof.
  induction n as [|n IH]; intros U L.
  { destruct U; [|simpl in L; lia]. exists []; split; [apply matching_nil|].
    intros [|[v w] N] (_ & I & _); [auto|]. destruct (I v); simpl; auto. }
  destruct U as [|v U]; [apply IH; simpl; lia|]. simpl in L.
  destruct (IH U) as [M [HM best]]; [lia|].
  assert (M_here : matching (v :: U) M) by (eapply matching_where; simpl; eauto).
  destruct (in_dec Nat.eq_dec v U) as [Iv|Iv].
  { exists M. split; [exact M_here|]. intros N HN. apply best.
    eapply matching_where; [exact HN|]. intros x _ [<-|I]; auto. }
  (* either some neighbour [w] can be spared, or none can *)
  assert (spare : forall l, incl l U ->
    (exists w N, In w l /\ adjacent v w = true /\ matching U N /\ ~ covers N w /\
       length M <= length N) \/
    (forall w N, In w l -> adjacent v w = true -> matching U N -> ~ covers N w ->
       length N < length M)).
  { induction l as [|w l IHl]; intros Il; [right; intros ? ? []|].
    destruct IHl as [H|H]; [intros x X; apply Il; now right| |].
    - left. destruct H as (w' & N & H1 & H2). exists w', N. simpl. tauto.
    - destruct (IH (remove Nat.eq_dec w U)) as [N [HN top]].
      { pose proof (remove_length_le Nat.eq_dec U w). lia. }
      assert (Nw : ~ covers N w).
      { intros C. destruct HN as (_ & I & _). apply I in C. now apply remove_In in C. }
      assert (N_here : matching U N).
      { eapply matching_where; [exact HN|]. intros x _ X. now apply in_remove in X. }
      destruct (adjacent v w) eqn:A; [destruct (le_lt_dec (length M) (length N)) as [le|lt]|].
      + left. exists w, N. simpl; tauto.
      + right. intros w' N' [<-|X]; [|eauto]. intros _ HN' C.
        enough (length N' <= length N) by lia. apply top.
        eapply matching_where; [exact HN'|]. intros x Cx Ix. apply in_in_remove; congruence.
      + right. intros w' N' [<-|X]; [congruence|eauto]. }
  assert (Cv : forall N, matching U N -> ~ covers N v).
  { intros N (_ & I & _) C. apply Iv, I, C. }
  destruct (spare U) as [(w & N & Iw & A & HN & Cw & le)|none]; [now intros x| |].
  - exists ((v, w) :: N). split.
    + apply add_edge; simpl; auto; [|congruence].
      eapply matching_where; simpl; eauto.
    + intros N' HN'. simpl. destruct (covers_dec N' v) as [C|C].
      * destruct (take_edge _ _ _ HN' C) as (w' & N'' & _ & _ & _ & -> & HN'' & C' & _ & _).
        apply missing_head in HN''; [|exact C']. apply best in HN''. lia.
      * apply missing_head in HN'; [|exact C]. apply best in HN'. lia.
  - exists M. split; [exact M_here|]. intros N HN. destruct (covers_dec N v) as [C|C].
    + destruct (take_edge _ _ _ HN C) as (w & N' & A & ne & Iw & -> & HN' & Cv' & Cw & _).
      apply missing_head in HN'; [|exact Cv'].
      destruct Iw as [e|Iw]; [congruence|]. eapply none; eauto.
    + apply best. eapply missing_head; eauto.
Qed.

(** * The game *)

Variable board : list nat.
Hypothesis no_repeats : NoDup board.

Record place := {
  at_ : nat;
  chosen : list nat;
  only : nat -> bool;  (* what the next choice is restricted to *)
  turn : seat
}.

Definition unused (p : place) : list nat := filter (fun w => negb (has w (chosen p))) board.

Definition steps (p : place) : list nat :=
  filter (fun w => adjacent (at_ p) w && only p w) (unused p).

Definition step (p : place) (w : nat) : place :=
  {| at_ := w; chosen := w :: chosen p; only := fun _ => true; turn := other (turn p) |}.

Definition geography : game := {|
  position := place;
  mover := turn;
  moves p := map (step p) (steps p);
  outcome p := match steps p with [] => Some (Some (other (turn p))) | _ => None end
|}.

Definition wins (s : seat) (p : place) := exists n, wins_within geography s n p.

Lemma in_unused p w : In w (unused p) <-> In w board /\ ~ In w (chosen p).
Proof.
  unfold unused. rewrite filter_In, negb_true_iff.
  destruct (has_spec w (chosen p)); intuition congruence.
Qed.

Lemma in_steps p w :
  In w (steps p) <-> In w (unused p) /\ adjacent (at_ p) w = true /\ only p w = true.
Proof. unfold steps. now rewrite filter_In, andb_true_iff. Qed.

Lemma unused_after p w x : In x (unused (step p w)) <-> In x (unused p) /\ x <> w.
Proof. rewrite !in_unused. simpl. intuition congruence. Qed.

Lemma fewer_after p w : In w (unused p) -> length (unused (step p w)) < length (unused p).
Proof.
  intros I. enough (length (w :: unused (step p w)) <= length (unused p)) by (simpl in *; lia).
  apply NoDup_incl_length.
  - constructor; [rewrite unused_after; tauto|]. now apply NoDup_filter.
  - intros x [<-|X]; [exact I|]. now apply unused_after in X.
Qed.

(** A vertex taken out of the unused ones, and counted again as the one where the token is. *)
Lemma matching_after p w M : In w (unused p) ->
  (matching (w :: unused (step p w)) M <-> matching (unused p) M).
Proof.
  intros I. split; intros H; (eapply matching_where; [exact H|]); intros x _; simpl.
  - intros [<-|X]; [exact I|]. now apply unused_after in X.
  - intros X. destruct (Nat.eq_dec w x) as [E|ne]; [now left|right]. apply unused_after. auto.
Qed.

Lemma maximum_after p w M : In w (unused p) ->
  (maximum (w :: unused (step p w)) M <-> maximum (unused p) M).
Proof.
  intros I. unfold maximum. rewrite matching_after by exact I.
  split; intros [H best]; (split; [exact H|]); intros N HN; apply best;
    now apply (matching_after p w).
Qed.

Definition covered (p : place) := forall M, maximum (at_ p :: unused p) M -> covers M (at_ p).
Definition missed (p : place) := exists M, maximum (at_ p :: unused p) M /\ ~ covers M (at_ p).

(** Stepping to a vertex that can be missed gains an edge. *)
Lemma step_to_missed p w : In (at_ p) (chosen p) -> In w (unused p) ->
  adjacent (at_ p) w = true -> missed (step p w) -> covered p.
Proof.
  intros Iv Iw A (M & Max & C) N [HN best]. simpl in Max, C.
  apply maximum_after in Max as [HM most]; [|exact Iw].
  destruct (covers_dec N (at_ p)) as [|CN]; [assumption|exfalso].
  assert (Cv : ~ covers M (at_ p)).
  { intros X. destruct HM as (_ & I & _). apply I, in_unused in X. tauto. }
  assert (more : matching (at_ p :: unused p) ((at_ p, w) :: M)).
  { apply add_edge; simpl; auto.
    - eapply matching_where; simpl; eauto.
    - intros e. rewrite <- e in Iw. apply in_unused in Iw. tauto. }
  apply best in more. simpl in more.
  apply missing_head in HN; [|exact CN]. apply most in HN. lia.
Qed.

(** If every step leads to a vertex that must be covered, the token's own need not be. *)
Lemma steps_to_covered p :
  (forall w, In w (unused p) -> adjacent (at_ p) w = true -> covered (step p w)) ->
  ~ In (at_ p) (unused p) -> missed p.
Proof.
  intros all Iv. destruct (maximum_exists _ (unused p) (le_n _)) as [M [HM best]].
  exists M. split; [split|].
  - eapply matching_where; simpl; eauto.
  - intros N HN. destruct (covers_dec N (at_ p)) as [C|C].
    + destruct (take_edge _ _ _ HN C) as (w & N' & A & ne & Iw & -> & HN' & Cv & Cw & _).
      apply missing_head in HN'; [|exact Cv].
      destruct Iw as [e|Iw]; [congruence|].
      destruct (le_lt_dec (length M) (length N')) as [le|lt]; [exfalso|lia].
      apply Cw. apply (all w Iw A). apply maximum_after; [exact Iw|]. split; [exact HN'|].
      intros N'' H. apply best in H. lia.
    + apply best. eapply missing_head; eauto.
  - intros C. destruct HM as (_ & I & _). now apply Iv, I.
Qed.

Lemma wins_by_step p w : In w (steps p) -> wins (turn p) (step p w) -> wins (turn p) p.
Proof.
  intros I [n W]. exists (S n).
  apply (by_a_move geography _ _ n p (step p w)); [|reflexivity|now apply in_map|exact W].
  simpl. destruct (steps p); [destruct I|reflexivity].
Qed.

Lemma loses_by_steps p :
  (forall w, In w (steps p) -> wins (other (turn p)) (step p w)) -> wins (other (turn p)) p.
Proof.
  intros all. destruct (steps p) as [|w l] eqn:E.
  { exists 0. eapply over; [|reflexivity]. simpl. now rewrite E. }
  destruct (forces_all geography (eq (Some (other (turn p)))) (other (turn p))
              (moves geography p)) as [n F].
  { intros q Q. apply in_map_iff in Q as (x & <- & X). apply all. rewrite <- E. exact X. }
  exists (S n). apply by_every_move; [simpl; now rewrite E| |simpl; now rewrite E|exact F].
  simpl. intros e. symmetry in e. now apply other_differs in e.
Qed.

Definition settled (p : place) := In (at_ p) (chosen p) /\ forall w, only p w = true.

Lemma settled_after p w : settled (step p w).
Proof. split; simpl; auto. Qed.

Lemma settled_unused p : settled p -> ~ In (at_ p) (unused p).
Proof. intros [C _] I. apply in_unused in I. tauto. Qed.

Lemma either p : settled p ->
  (covered p /\ wins (turn p) p) \/ (missed p /\ wins (other (turn p)) p).
Proof.
  remember (length (unused p)) as n eqn:L. revert p L.
  induction n as [n IH] using lt_wf_ind. intros p -> S.
  destruct (some_or_all
    (fun w => missed (step p w) /\ wins (turn p) (step p w))
    (fun w => covered (step p w) /\ wins (other (turn p)) (step p w)) (steps p)) as [H|H].
  - intros w I. apply in_steps in I as (I & _).
    destruct (IH _ (fewer_after p w I) _ eq_refl (settled_after p w)) as [H|H]; [now right|left].
    simpl in H. rewrite other_other in H. exact H.
  - left. destruct H as (w & I & M & W). split; [|eapply wins_by_step; eauto].
    apply in_steps in I as (I & A & _). apply (step_to_missed p w); auto. apply S.
  - right. split; [|apply loses_by_steps; intros w I; apply (H w I)].
    apply steps_to_covered; [|now apply settled_unused].
    intros w I A. apply H, in_steps. destruct S as [_ S]. auto.
Qed.

Lemma not_both p s : wins s p -> ~ wins (other s) p.
Proof. intros [n W] [m V]. exact (not_both_win geography p s n m W V). Qed.

Theorem mover_wins p : settled p ->
  (wins (turn p) p <-> forall M, maximum (at_ p :: unused p) M -> covers M (at_ p)).
Proof.
  intros S. destruct (either p S) as [[C W]|[(M & Max & C) W]]; [tauto|].
  split; intros H; exfalso; [exact (not_both p _ H W)|auto].
Qed.

(** A step to a vertex that some maximum matching of the unused vertices misses wins. *)
Lemma missed_step_wins p w M : In w (unused p) -> maximum (unused p) M -> ~ covers M w ->
  wins (turn p) (step p w).
Proof.
  intros I Max C. destruct (either (step p w) (settled_after p w)) as [[H _]|[_ W]].
  - exfalso. apply C, (H M). now apply maximum_after.
  - simpl in W. now rewrite other_other in W.
Qed.

Theorem first_step p :
  wins (turn p) p <->
  exists w M, In w (steps p) /\ maximum (unused p) M /\ ~ covers M w.
Proof.
  split.
  - intros W. destruct (some_or_all (fun w => missed (step p w))
      (fun w => wins (other (turn p)) (step p w)) (steps p)) as [(w & I & M & Max & C)|all].
    + intros w I. destruct (either (step p w) (settled_after p w)); tauto.
    + exists w, M. split; [exact I|]. split; [|exact C]. apply in_steps in I as (I & _).
      now apply (maximum_after p w).
    + exfalso. exact (not_both p _ W (loses_by_steps p all)).
  - intros (w & M & I & Max & C). apply (wins_by_step p w I).
    apply in_steps in I as (I & _). now apply (missed_step_wins p w M).
Qed.

Theorem decided p : wins (turn p) p \/ wins (other (turn p)) p.
Proof.
  destruct (some_or_all (fun w => wins (turn p) (step p w))
    (fun w => wins (other (turn p)) (step p w)) (steps p)) as [(w & I & W)|all].
  - intros w _. destruct (either (step p w) (settled_after p w)) as [[_ W]|[_ W]]; [now right|left].
    simpl in W. now rewrite other_other in W.
  - left. eapply wins_by_step; eauto.
  - right. now apply loses_by_steps.
Qed.

(** The winning move: to the vertex's partner in any maximum matching. *)
Theorem partner_wins p M w : settled p -> wins (turn p) p -> maximum (at_ p :: unused p) M ->
  In (at_ p, w) M \/ In (w, at_ p) M -> wins (turn p) (step p w).
Proof.
  intros S W [HM best] E. pose proof (proj1 (mover_wins p S) W) as C.
  assert (Max : maximum (at_ p :: unused p) M) by (split; assumption).
  destruct (take_edge _ _ _ HM (C M Max)) as (w' & N & A & ne & Iw & L & HN & Cv & Cw & P & _).
  assert (w = w') by (apply P; exact E). subst w'.
  apply missing_head in HN; [|exact Cv]. destruct Iw as [e|Iw]; [congruence|].
  destruct (either (step p w) (settled_after p w)) as [[H _]|[_ H]];
    [exfalso|simpl in H; now rewrite other_other in H].
  apply Cw, (H N). apply maximum_after; [exact Iw|]. split; [exact HN|].
  intros N' HN'. destruct (le_lt_dec (length N') (length N)) as [le|lt]; [exact le|exfalso].
  (* else a matching that misses the token's vertex would be maximum *)
  assert (HN'' : matching (at_ p :: unused p) N') by (eapply matching_where; simpl; eauto).
  assert (X : covers N' (at_ p)).
  { apply C. split; [exact HN''|]. intros K HK. apply best in HK. lia. }
  destruct HN' as (_ & I & _). now apply (settled_unused p S), I.
Qed.

(** * Certificates *)

(** Each edge within [U] touches [S] or stays within one of the parts. *)
Definition barrier (U S : list nat) (parts : list (list nat)) :=
  forall v w, In v U -> In w U -> adjacent v w = true ->
    In v S \/ In w S \/ exists C, In C parts /\ In v C /\ In w C.

Fixpoint halves (parts : list (list nat)) : nat :=
  match parts with [] => 0 | C :: rest => length C / 2 + halves rest end.

Definition bound (S : list nat) (parts : list (list nat)) : nat := length S + halves parts.

Lemma ends_filter f M v : In v (ends (filter f M)) -> In v (ends M).
Proof.
  unfold ends. rewrite !in_flat_map. intros (e & I & V). apply filter_In in I as [I _]. eauto.
Qed.

Lemma ends_filter_NoDup f M : NoDup (ends M) -> NoDup (ends (filter f M)).
Proof.
  induction M as [|[a b] M IH]; simpl; intros D; [exact D|].
  inversion_clear D as [|? ? Da D']. inversion_clear D' as [|? ? Db D].
  destruct (f (a, b)); [|auto]. simpl in *. constructor; [|constructor; auto].
  - intros [e|I]; [auto|]. apply Da. right. eapply ends_filter; eauto.
  - intros I. apply Db. eapply ends_filter; eauto.
Qed.

Lemma split_length {A} (f : A -> bool) l :
  length l = length (filter f l) + length (filter (fun x => negb (f x)) l).
Proof. induction l as [|x l IH]; simpl; [reflexivity|]. destruct (f x); simpl; lia. Qed.

Lemma edges_bound S parts : forall M, NoDup (ends M) ->
  (forall v w, In (v, w) M -> In v S \/ In w S \/ exists C, In C parts /\ In v C /\ In w C) ->
  length M <= bound S parts.
Proof.
  unfold bound. induction parts as [|C parts IH]; intros M D H; cbn [halves].
  - rewrite Nat.add_0_r.
    rewrite <- (map_length (fun e => if has (fst e) S then fst e else snd e) M).
    assert (in_S : forall v w, In (v, w) M -> In v S \/ In w S).
    { intros v w I. destruct (H v w I) as [X|[X|(C & [] & _)]]; auto. }
    apply NoDup_incl_length.
    + clear H in_S. induction M as [|[a b] M IH]; simpl in *; [constructor|].
      inversion_clear D as [|? ? Da D']. inversion_clear D' as [|? ? Db D].
      constructor; [|auto]. intros I. apply in_map_iff in I as ([v w] & E & I).
      assert (here : In v (ends M) /\ In w (ends M)).
      { unfold ends. rewrite !in_flat_map. split; exists (v, w); simpl; auto. }
      simpl in *. destruct (has a S), (has v S); subst; tauto.
    + intros x I. apply in_map_iff in I as ([v w] & E & I). simpl in E.
      destruct (has_spec v S) as [V|V]; subst x; [exact V|].
      destruct (in_S v w I); [contradiction|assumption].
  - set (f e := has (fst e) C && has (snd e) C).
    rewrite (split_length f M).
    assert (within : length (filter f M) <= length C / 2).
    { apply Nat.div_le_lower_bound; [lia|]. rewrite <- ends_length. apply NoDup_incl_length.
      - now apply ends_filter_NoDup.
      - intros x I. unfold ends in I. apply in_flat_map in I as ([v w] & I & E).
        apply filter_In in I as [_ F]. unfold f in F. simpl in F, E.
        apply andb_true_iff in F as [F1 F2].
        destruct (has_spec v C), (has_spec w C); try discriminate.
        destruct E as [<-|[<-|[]]]; assumption. }
    enough (length (filter (fun e => negb (f e)) M) <=
            length S + halves parts) by lia.
    apply IH; [now apply ends_filter_NoDup|].
    intros v w I. apply filter_In in I as [I F].
    destruct (H v w I) as [X|[X|(C' & [<-|P] & V & W)]]; auto.
    + exfalso. unfold f in F. simpl in F.
      destruct (has_spec v C), (has_spec w C); try contradiction. discriminate.
    + right; right. eauto.
Qed.

Theorem tutte_berge U S parts M : barrier U S parts -> matching U M -> length M <= bound S parts.
Proof.
  intros B (D & I & A). apply edges_bound; [exact D|].
  intros v w E. apply B; auto; apply I; unfold ends; rewrite in_flat_map;
    exists (v, w); simpl; auto.
Qed.

(** Where the parts and the set are all of [U], the bound is (|U| + |S| - odd parts) / 2. *)
Theorem odd_parts (U S : list nat) (parts : list (list nat)) :
  length U = length S + list_sum (map (@length nat) parts) ->
  2 * bound S parts + length (filter (fun C => Nat.odd (length C)) parts) = length U + length S.
Proof.
  assert (H : 2 * halves parts + length (filter (fun C => Nat.odd (length C)) parts) =
    list_sum (map (@length nat) parts)).
  { induction parts as [|C parts IH]; [reflexivity|].
    pose proof (Nat.div2_odd (length C)) as H. rewrite Nat.div2_div in H.
    change (list_sum (map (@length nat) (C :: parts)))
      with (length C + list_sum (map (@length nat) parts)).
    cbn [halves filter]. destruct (Nat.odd (length C)); cbn [Nat.b2n length] in *; lia. }
  unfold bound. lia.
Qed.

Theorem win_certificate p M S parts : settled p ->
  matching (at_ p :: unused p) M -> barrier (unused p) S parts -> bound S parts < length M ->
  wins (turn p) p.
Proof.
  intros Se HM B lt. apply mover_wins; [exact Se|]. intros N [HN best].
  destruct (covers_dec N (at_ p)) as [C|C]; [exact C|exfalso].
  apply best in HM. apply missing_head in HN; [|exact C].
  apply (tutte_berge _ _ _ _ B) in HN. lia.
Qed.

Theorem loss_certificate p M S parts : settled p ->
  matching (unused p) M -> barrier (at_ p :: unused p) S parts -> bound S parts <= length M ->
  wins (other (turn p)) p.
Proof.
  intros Se HM B le. destruct (either p Se) as [[C _]|[_ W]]; [exfalso|exact W].
  apply (settled_unused p Se). destruct HM as (D & I & A). apply I, C.
  split.
  - repeat split; auto. intros x X. right. now apply I.
  - intros N HN. apply (tutte_berge _ _ _ _ B) in HN. lia.
Qed.

(** ** Anywhere, as in docs/certificates.md *)

Definition odd (n : nat) : Prop := Nat.odd n = true.

(** [S] (what stands apart) and parts of an odd number of vertices each, all of them different and in
    [U]; no edge of [U] leads from a part to another part or to the rest. *)
Definition cut (U S : list nat) (parts : list (list nat)) :=
  NoDup (S ++ concat parts) /\ incl (S ++ concat parts) U /\
  (forall C, In C parts -> odd (length C)) /\
  forall C v w, In C parts -> In v C -> In w U -> adjacent v w = true -> In w S \/ In w C.

Lemma filter_all {A} (f : A -> bool) l : (forall x, In x l -> f x = true) -> filter f l = l.
Proof.
  induction l as [|x l IH]; simpl; intros H; [reflexivity|].
  rewrite (H x), IH; auto.
Qed.

Lemma filter_has_length (l U : list nat) : NoDup l -> NoDup U -> incl l U ->
  length (filter (fun v => has v l) U) = length l.
Proof.
  intros Dl DU I. apply Nat.le_antisymm; apply NoDup_incl_length; auto using NoDup_filter.
  - intros v V. apply filter_In in V as [_ V]. now destruct (has_spec v l).
  - intros v V. apply filter_In. split; [auto|]. now destruct (has_spec v l).
Qed.

Lemma concat_length (parts : list (list nat)) :
  length (concat parts) = list_sum (map (@length nat) parts).
Proof.
  induction parts as [|C parts IH]; simpl; [reflexivity|]. rewrite app_length, IH. reflexivity.
Qed.

Theorem cut_bound U S parts M : NoDup U -> cut U S parts -> matching U M ->
  2 * length M + length parts <= length U + length S.
Proof.
  intros DU (D & I & odds & edges) HM.
  set (named := S ++ concat parts) in *.
  set (rest := filter (fun v => negb (has v named)) U).
  assert (size : length U = length S + list_sum (map (@length nat) (rest :: parts))).
  { rewrite (split_length (fun v => has v named) U), (filter_has_length named U D DU I).
    unfold named at 1. rewrite app_length, concat_length.
    change (list_sum (map (@length nat) (rest :: parts)))
      with (length rest + list_sum (map (@length nat) parts)). fold rest. lia. }
  assert (B : barrier U S (rest :: parts)).
  { intros v w V W A.
    assert (where_ : forall x, In x U -> In x S \/ In x rest \/ exists C, In C parts /\ In x C).
    { intros x X. destruct (in_dec Nat.eq_dec x named) as [N|N].
      - apply in_app_iff in N as [N|N]; [now left|right; right]. apply in_concat in N. exact N.
      - right; left. apply filter_In. split; [exact X|]. now destruct (has_spec x named). }
    assert (from : forall x y, In x U -> In y U -> adjacent x y = true ->
      (exists C, In C parts /\ In x C) -> In y S \/ exists C, In C parts /\ In x C /\ In y C).
    { intros x y X Y E (C & P & XC). destruct (edges C x y P XC Y E) as [H|H]; [now left|right].
      eauto. }
    destruct (where_ v V) as [H|[Rv|H]]; [now left| |].
    - destruct (where_ w W) as [H|[Rw|H]]; [right; now left| |].
      + right; right. exists rest. simpl. auto.
      + rewrite symmetric in A. destruct (from w v W V A H) as [H'|(C & P & X & Y)]; [now left|].
        right; right. exists C. simpl. auto.
    - destruct (from v w V W A H) as [H'|(C & P & X & Y)]; [right; now left|].
      right; right. exists C. simpl. auto. }
  pose proof (tutte_berge U S (rest :: parts) M B HM) as le.
  pose proof (odd_parts U S (rest :: parts) size) as formula.
  assert (all : filter (fun C => Nat.odd (length C)) parts = parts) by now apply filter_all.
  cbn [filter] in formula. rewrite all in formula.
  destruct (Nat.odd (length rest)); cbn [length] in formula; lia.
Qed.

(** A matching of the unused vertices that misses a legal step [w], the partner of the walker. *)
Theorem walker_win p M w S parts : In w (steps p) -> matching (unused p) M -> ~ covers M w ->
  cut (unused p) S parts ->
  length (unused p) + length S < 2 * Datatypes.S (length M) + length parts ->
  wins (turn p) p.
Proof.
  intros W HM C K lt. apply first_step. exists w, M. split; [exact W|]. split; [|exact C].
  split; [exact HM|]. intros N HN.
  pose proof (cut_bound (unused p) S parts N (NoDup_filter _ no_repeats) K HN). lia.
Qed.

(** No legal step is in a part. *)
Theorem walker_loss p M S parts : matching (unused p) M -> cut (unused p) S parts ->
  (forall w C, In w (steps p) -> In C parts -> ~ In w C) ->
  length (unused p) + length S <= 2 * length M + length parts ->
  wins (other (turn p)) p.
Proof.
  intros HM K none le. destruct (decided p) as [W|W]; [exfalso|exact W].
  apply first_step in W as (w & N & I & [HN best] & C). apply best in HM.
  (* N is a matching of what is left without w *)
  set (U := filter (fun v => negb (v =? w)) (unused p)).
  assert (Iw : In w (unused p)) by now apply in_steps in I.
  assert (in_U : forall v, In v U <-> In v (unused p) /\ v <> w).
  { intros v. unfold U. rewrite filter_In, negb_true_iff, Nat.eqb_neq. tauto. }
  assert (DU : NoDup U) by now apply NoDup_filter, NoDup_filter.
  assert (fewer : length (unused p) = Datatypes.S (length U)).
  { apply (Permutation_length (l' := w :: U)), NoDup_Permutation.
    - now apply NoDup_filter.
    - constructor; [rewrite in_U; tauto|exact DU].
    - intros v. simpl. rewrite in_U. destruct (Nat.eq_dec v w); intuition congruence. }
  assert (HN' : matching U N).
  { eapply matching_where; [exact HN|]. intros v V X. apply in_U. split; [exact X|congruence]. }
  destruct K as (D & incl_U & odds & edges).
  destruct (in_dec Nat.eq_dec w S) as [A|A].
  - (* w stands apart *)
    destruct (in_split w S A) as (S1 & S2 & ->).
    rewrite <- app_assoc in D, incl_U. simpl in D, incl_U.
    assert (K' : cut U (S1 ++ S2) parts).
    { split; [|split; [|split; [exact odds|]]].
      - rewrite <- app_assoc. eapply NoDup_remove_1; exact D.
      - intros v V. rewrite <- app_assoc in V. apply in_U. split.
        + apply incl_U. rewrite in_app_iff in *. simpl. tauto.
        + intros ->. apply NoDup_remove_2 in D. contradiction.
      - intros C' v x P V X E. apply in_U in X as [X ne].
        destruct (edges C' v x P V X E) as [H|H]; [left|now right].
        rewrite in_app_iff in *. simpl in H. intuition congruence. }
    pose proof (cut_bound U (S1 ++ S2) parts N DU K' HN') as b.
    rewrite app_length in *. simpl in *. lia.
  - (* w belongs to the rest *)
    assert (K' : cut U S parts).
    { split; [exact D|split; [|split; [exact odds|]]].
      - intros v V. apply in_U. split; [auto|]. intros ->. apply in_app_iff in V as [V|V]; [auto|].
        apply in_concat in V as (C' & P & V). exact (none w C' I P V).
      - intros C' v x P V X E. apply in_U in X as [X _]. exact (edges C' v x P V X E). }
    pose proof (cut_bound U S parts N DU K' HN'). lia.
Qed.

End Graph.

(** * Multiplicity *)

Definition multiplicity (size : nat) : game := geography related (seq 1 size).

(** The start counts as chosen; with `start_open` it does not, with `opening even` the first choice
    is restricted. *)
Definition begin (start : nat) (start_open opening_even : bool) : place := {|
  at_ := start;
  chosen := if start_open then [] else [start];
  only w := if opening_even then Nat.even w else true;
  turn := first
|}.

Theorem multiplicity_mover_wins size p : settled p ->
  ((exists n, wins_within (multiplicity size) (turn p) n p) <->
   forall M, maximum related (at_ p :: unused (seq 1 size) p) M -> covers M (at_ p)).
Proof. apply mover_wins; [exact related_symmetric|apply seq_NoDup]. Qed.

Theorem multiplicity_first_player_wins size start start_open opening_even :
  let p := begin start start_open opening_even in
  (exists n, wins_within (multiplicity size) first n p) <->
  exists w M, In w (steps related (seq 1 size) p) /\
    maximum related (unused (seq 1 size) p) M /\ ~ covers M w.
Proof.
  intros p. apply (first_step related related_symmetric (seq 1 size) (seq_NoDup size 1) p).
Qed.
