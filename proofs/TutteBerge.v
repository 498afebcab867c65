(** Every graph has a set and parts that bound its matchings by the size of a maximum matching (the
    theorem of Tutte and Berge); so every verdict of Multiplicity has a certificate.

    What is modelled. As in [Geography].

    What is proved. [tutte_berge_reached]: the bound is reached. [win_has_certificate],
    [loss_has_certificate]: wherever the mover wins or loses, there is what [win_certificate] or
    [loss_certificate] needs.

    The proof needs no alternating paths. If a vertex is covered by every maximum matching, put it
    in the set, and go on without it. If none is, call two vertices tied if no maximum matching
    misses both. That is an equivalence ([exchange]), neighbours are tied, and a maximum matching
    misses at most one vertex of each class; so the classes are the parts. *)

From Coq Require Import List Arith Lia Bool.
From Numduel Require Import Divisors Finding Game Geography.
Import ListNotations.

Section Graph.

Variable adjacent : nat -> nat -> bool.
Hypothesis symmetric : forall v w, adjacent v w = adjacent w v.

Notation matching := (matching adjacent).
Notation maximum := (maximum adjacent).
Notation barrier := (barrier adjacent).

Definition without (U l : list nat) : list nat := filter (fun x => negb (has x l)) U.

Lemma in_without U l x : In x (without U l) <-> In x U /\ ~ In x l.
Proof.
  unfold without. rewrite filter_In, negb_true_iff. destruct (has_spec x l); intuition congruence.
Qed.

Lemma without_shorter U l x : In x U -> In x l -> length (without U l) < length U.
Proof.
  intros I L. unfold without. rewrite (split_length (fun x => negb (has x l)) U).
  enough (In x (filter (fun x => negb (negb (has x l))) U)) as H
    by (destruct (filter (fun x => negb (negb (has x l))) U); [contradiction|simpl; lia]).
  apply filter_In. split; [exact I|]. destruct (has_spec x l); [reflexivity|contradiction].
Qed.

Lemma matching_without U l M :
  matching (without U l) M <-> matching U M /\ forall x, In x l -> ~ covers M x.
Proof.
  split.
  - intros H. split.
    + eapply matching_where; [exact H|]. intros x _ X. now apply in_without in X.
    + intros x L C. destruct H as (_ & I & _). apply I, in_without in C. tauto.
  - intros [H no]. eapply matching_where; [exact H|]. intros x C I. apply in_without.
    split; [exact I|]. intros L. exact (no x L C).
Qed.

Lemma as_large U M K : maximum U M -> matching U K -> length M <= length K -> maximum U K.
Proof. intros [_ best] H le. split; [exact H|]. intros N HN. apply best in HN. lia. Qed.

Lemma equally_large U M N : maximum U M -> maximum U N -> length M = length N.
Proof. intros [HM bM] [HN bN]. apply bM in HN. apply bN in HM. lia. Qed.

(** If one maximum matching misses [u] and [v], and one misses [t], then one misses [t] and one of
    the two. *)
Lemma exchange n : forall U M N u v t, length U <= n ->
  maximum U M -> maximum U N -> u <> v ->
  ~ covers M u -> ~ covers M v -> ~ covers N t ->
  exists K, maximum U K /\ ~ covers K t /\ (~ covers K u \/ ~ covers K v).
Proof.
  induction n as [n IH] using lt_wf_ind. intros U M N u v t le Mm Nm ne Mu Mv Nt.
  destruct (covers_dec M t) as [Mt|Mt]; [|exists M; auto].
  assert (sizes := equally_large U M N Mm Nm).
  pose proof Mm as [HM bestM]. pose proof Nm as [HN bestN].
  assert (It : In t U) by (destruct HM as (_ & I & _); now apply I).
  destruct (take_edge adjacent symmetric U M t HM Mt)
    as (t1 & M' & A1 & ne1 & I1 & LM & HM' & M't & M't1 & _ & Mt1 & M'in).
  assert (Nt1 : covers N t1).
  { destruct (covers_dec N t1) as [C|C]; [exact C|exfalso].
    assert (H : matching U ((t, t1) :: N)) by (apply add_edge; auto).
    apply bestN in H. simpl in H. lia. }
  destruct (take_edge adjacent symmetric U N t1 HN Nt1)
    as (t2 & N' & A2 & ne2 & I2 & LN & HN' & N't1 & N't2 & _ & Nt2 & N'in).
  assert (tt2 : t <> t2) by (intros ->; contradiction).
  assert (u <> t1 /\ v <> t1) as [u1 v1] by (split; intros ->; contradiction).
  (* without t and t1 *)
  set (U' := without U [t; t1]).
  assert (in_U' : forall K, matching U' K <-> matching U K /\ ~ covers K t /\ ~ covers K t1).
  { intros K. unfold U'. rewrite matching_without. split.
    - intros [H no]. repeat split; try apply H; apply no; simpl; auto.
    - intros (H & a & b). split; [exact H|]. intros x [<-|[<-|[]]]; assumption. }
  assert (M'm : maximum U' M').
  { split; [apply in_U'; auto|]. intros K HK. apply in_U' in HK as (HK & Kt & Kt1).
    assert (H : matching U ((t, t1) :: K)) by (apply add_edge; auto).
    apply bestM in H. simpl in H. lia. }
  assert (N'm : maximum U' N').
  { apply (as_large U' M'); [exact M'm| |lia]. apply in_U'. split; [exact HN'|].
    split; [|exact N't1]. intros C. apply Nt, N'in, C. }
  (* what is missed there is missed in all of it, with the edge from t1 to t2 *)
  assert (back : forall K x, maximum U' K -> ~ covers K t2 -> ~ covers K x -> x <> t1 -> x <> t2 ->
    exists K, maximum U K /\ ~ covers K t /\ ~ covers K x).
  { intros K x Km Kt2 Kx x1 x2. pose proof Km as [HK _]. apply in_U' in HK as (HK & Kt & Kt1).
    exists ((t1, t2) :: K). unfold covers in *. simpl. split; [|intuition congruence].
    apply (as_large U M); [exact Mm| |].
    - apply add_edge; auto.
    - simpl. rewrite (equally_large U' K M' Km M'm). lia. }
  assert (M'u : ~ covers M' u) by auto. assert (M'v : ~ covers M' v) by auto.
  assert (done : (exists K, maximum U K /\ ~ covers K t /\ ~ covers K u) \/
                 (exists K, maximum U K /\ ~ covers K t /\ ~ covers K v)).
  { destruct (Nat.eq_dec u t2) as [->|u2]; [right; apply (back M'); auto|].
    destruct (Nat.eq_dec v t2) as [->|v2]; [left; apply (back M'); auto|].
    assert (shorter : length U' < length U)
      by (apply (without_shorter U [t; t1] t); simpl; auto).
    destruct (IH (length U') ltac:(lia) U' M' N' u v t2) as (K & Km & Kt2 & [Ku|Kv]); auto.
    - left. apply (back K); auto.
    - right. apply (back K); auto. }
  destruct done as [(K & a & b & c)|(K & a & b & c)]; exists K; auto.
Qed.

(** Whether some maximum matching misses all of a list. *)
Lemma missed_or_not U l :
  (exists K, maximum U K /\ forall x, In x l -> ~ covers K x) \/
  (forall K, maximum U K -> ~ forall x, In x l -> ~ covers K x).
Proof.
  destruct (maximum_exists adjacent symmetric _ U (le_n _)) as [M Mm].
  destruct (maximum_exists adjacent symmetric _ (without U l) (le_n _)) as [K [HK best]].
  apply matching_without in HK as [HK no].
  destruct (le_lt_dec (length M) (length K)) as [le|lt].
  - left. exists K. split; [now apply (as_large U M)|exact no].
  - right. intros N Nm none. assert (H : matching (without U l) N)
      by (apply matching_without; split; [apply Nm|exact none]).
    apply best in H. rewrite (equally_large U N M Nm Mm) in H. lia.
Qed.

(** * Where every vertex can be missed *)

Section Classes.

Variable U : list nat.
Hypothesis all_missed : forall v, In v U -> exists K, maximum U K /\ ~ covers K v.

Definition tied (u v : nat) := u = v \/ forall K, maximum U K -> covers K u \/ covers K v.

Lemma tied_or_not u v :
  tied u v \/ u <> v /\ exists K, maximum U K /\ ~ covers K u /\ ~ covers K v.
Proof.
  destruct (Nat.eq_dec u v) as [e|ne]; [left; now left|].
  destruct (missed_or_not U [u; v]) as [(K & Km & no)|all].
  - right. split; [exact ne|]. exists K. split; [exact Km|]. split; apply no; simpl; auto.
  - left. right. intros K Km. destruct (covers_dec K u) as [|a]; [now left|].
    destruct (covers_dec K v) as [|b]; [now right|]. exfalso. apply (all K Km).
    intros x [<-|[<-|[]]]; assumption.
Qed.

Lemma tied_symmetric u v : tied u v -> tied v u.
Proof. intros [->|H]; [now left|right]. intros K Km. destruct (H K Km); auto. Qed.

Lemma tied_transitive u t v : In t U -> tied u t -> tied t v -> tied u v.
Proof.
  intros It ut tv. destruct (tied_or_not u v) as [T|(ne & M & Mm & Mu & Mv)]; [exact T|exfalso].
  destruct ut as [->|ut].
  { destruct tv as [->|tv]; [congruence|]. destruct (tv M Mm); contradiction. }
  destruct tv as [->|tv]; [destruct (ut M Mm); contradiction|].
  destruct (all_missed t It) as (N & Nm & Nt).
  destruct (exchange _ U M N u v t (le_n _)) as (K & Km & Kt & [Ku|Kv]); auto.
  - destruct (ut K Km); contradiction.
  - destruct (tv K Km); contradiction.
Qed.

Lemma neighbours_tied v w : In v U -> In w U -> adjacent v w = true -> tied v w.
Proof.
  intros V W A. destruct (tied_or_not v w) as [T|(ne & K & [HK best] & a & b)]; [exact T|exfalso].
  assert (H : matching U ((v, w) :: K)) by (apply add_edge; auto).
  apply best in H. simpl in H. lia.
Qed.

Fixpoint apart (parts : list (list nat)) : Prop :=
  match parts with
  | [] => True
  | C :: rest => (forall C' x, In C' rest -> In x C -> ~ In x C') /\ apart rest
  end.

Lemma apart_one parts C C' x :
  apart parts -> In C parts -> In C' parts -> In x C -> In x C' -> C = C'.
Proof.
  induction parts as [|D parts IH]; intros A I I' X X'; [contradiction|].
  destruct A as [A rest]. destruct I as [<-|I], I' as [<-|I']; auto.
  - exfalso. exact (A C' x I' X X').
  - exfalso. exact (A C x I X' X).
Qed.

Lemma split_by (P Q : nat -> Prop) l : (forall x, P x \/ Q x) -> NoDup l -> exists A B,
  NoDup A /\ NoDup B /\ length B <= length l /\
  (forall x, In x A -> In x l /\ P x) /\ (forall x, In x B -> In x l /\ Q x) /\
  forall x, In x l -> In x A \/ In x B.
Proof.
  intros dec. induction l as [|y l IH]; intros D.
  - exists [], []. repeat split; try constructor; try contradiction; auto.
  - inversion_clear D as [|? ? Ny Dl]. destruct (IH Dl) as (A & B & DA & DB & L & a & b & c).
    destruct (dec y) as [p|q].
    + exists (y :: A), B. refine (conj _ (conj DB (conj _ (conj _ (conj _ _))))).
      * constructor; [|exact DA]. intros I. apply a in I. tauto.
      * simpl; lia.
      * intros x [<-|I]; [simpl; auto|]. apply a in I. simpl; tauto.
      * intros x I. apply b in I. simpl; tauto.
      * intros x [<-|I]; [simpl; auto|]. apply c in I. simpl; tauto.
    + exists A, (y :: B). refine (conj DA (conj _ (conj _ (conj _ (conj _ _))))).
      * constructor; [|exact DB]. intros I. apply b in I. tauto.
      * simpl; lia.
      * intros x I. apply a in I. simpl; tauto.
      * intros x [<-|I]; [simpl; auto|]. apply b in I. simpl; tauto.
      * intros x [<-|I]; [simpl; auto|]. apply c in I. simpl; tauto.
Qed.

Lemma classes n : forall l, length l <= n -> NoDup l -> incl l U -> exists parts,
  apart parts /\
  (forall C, In C parts -> NoDup C /\ incl C l /\ forall x y, In x C -> In y C -> tied x y) /\
  (forall x y, In x l -> In y l -> tied x y -> exists C, In C parts /\ In x C /\ In y C).
Proof.
  induction n as [|n IH]; intros l L D I.
  { destruct l; [|simpl in L; lia]. exists []. simpl. repeat split; contradiction. }
  destruct l as [|u l]; [exists []; simpl; repeat split; contradiction|].
  inversion_clear D as [|? ? Nu Dl].
  assert (Iu : In u U) by (apply I; now left).
  assert (Il : incl l U) by (intros x X; apply I; now right).
  destruct (split_by (tied u) (fun x => ~ tied u x) l) as (A & B & DA & DB & LB & a & b & c);
    [|exact Dl|].
  { intros x. destruct (tied_or_not u x) as [T|(ne & K & Km & Ku & Kx)]; [now left|right].
    intros [e|T]; [contradiction|]. destruct (T K Km); contradiction. }
  destruct (IH B) as (parts & ap & good & all); [simpl in L; lia|exact DB| |].
  { intros x X. apply Il. now apply b in X. }
  assert (in_C : forall x, In x (u :: A) -> In x (u :: l) /\ tied u x).
  { intros x [<-|X]; [split; [now left|now left]|]. apply a in X. simpl; tauto. }
  assert (in_l : forall x, In x (u :: l) -> In x (u :: A) \/ In x B).
  { intros x [<-|X]; [left; now left|]. apply c in X. simpl; tauto. }
  exists ((u :: A) :: parts). split; [split|split].
  - intros C' x I' X X'. apply in_C in X as [_ T]. destruct (good C' I') as (_ & in_B & _).
    apply in_B, b in X'. tauto.
  - exact ap.
  - intros C [<-|J].
    + split; [|split].
      * constructor; [|exact DA]. intros X. now apply Nu, a.
      * intros x X. now apply in_C in X.
      * intros x y X Y. apply in_C in X as [_ X], Y as [_ Y].
        apply (tied_transitive x u y Iu); [now apply tied_symmetric|exact Y].
    + destruct (good C J) as (DC & in_B & ties). split; [exact DC|]. split; [|exact ties].
      intros x X. right. now apply in_B, b in X.
  - intros x y X Y T. assert (Ix := I x X). assert (Iy := I y Y).
    destruct (in_l x X) as [Cx|Bx], (in_l y Y) as [Cy|By].
    + exists (u :: A). split; [now left|auto].
    + exfalso. apply b in By as [_ no]. apply no. apply in_C in Cx as [_ ux].
      exact (tied_transitive u x y Ix ux T).
    + exfalso. apply b in Bx as [_ no]. apply no. apply in_C in Cy as [_ uy].
      apply (tied_transitive u y x Iy uy). now apply tied_symmetric.
    + destruct (all x y Bx By T) as (C & J & CX). exists C. split; [now right|exact CX].
Qed.

(** A matching that misses at most one of each part, and whose edges stay in parts, is as large as
    the bound. *)
Lemma halves_reached parts : apart parts -> forall M,
  (forall C, In C parts -> NoDup C) ->
  (forall C v w, In C parts -> In (v, w) M -> In v C \/ In w C -> In v C /\ In w C) ->
  (forall C x y, In C parts -> In x C -> In y C -> ~ covers M x -> ~ covers M y -> x = y) ->
  halves parts <= length M.
Proof.
  induction parts as [|C parts IH]; intros A M D edges one; [simpl; lia|].
  destruct A as [ap A]. cbn [halves].
  set (f := fun e : nat * nat => has (fst e) C).
  rewrite (split_length f M).
  assert (covered_in : forall x, In x C -> covers M x -> In x (ends (filter f M))).
  { intros x X Cx. unfold covers, ends in *. apply in_flat_map in Cx as ([v w] & E & V).
    apply in_flat_map. exists (v, w). split; [|exact V]. apply filter_In. split; [exact E|].
    unfold f. simpl in *. destruct (has_spec v C) as [|no]; [reflexivity|exfalso].
    apply no, (edges C v w); [now left|exact E|].
    destruct V as [<-|[<-|[]]]; auto. }
  assert (here : length C / 2 <= length (filter f M)).
  { assert (len : length C <= 1 + 2 * length (filter f M)).
    { rewrite <- ends_length.
      destruct (some_or_all (fun x => ~ covers M x) (fun x => covers M x) C) as [(x & X & no)|all].
      - intros x _. destruct (covers_dec M x); auto.
      - apply (NoDup_incl_length (l := C) (l' := x :: ends (filter f M))).
        + apply D. now left.
        + intros y Y. destruct (covers_dec M y) as [Cy|Cy]; [right; auto|left].
          apply (one C); auto. now left.
      - enough (length C <= length (ends (filter f M))) by lia.
        apply NoDup_incl_length; [apply D; now left|]. intros y Y. auto. }
    pose proof (Nat.div_mod_eq (length C) 2). lia. }
  enough (halves parts <= length (filter (fun e => negb (f e)) M)) by lia.
  apply IH; [exact A| | |].
  - intros C' I. apply D. now right.
  - intros C' v w I E. apply filter_In in E as [E _]. apply edges; [now right|exact E].
  - intros C' x y I X Y no_x no_y.
    assert (kept : forall z, In z C' -> covers M z ->
      covers (filter (fun e => negb (f e)) M) z).
    { intros z Z Cz. unfold covers, ends in *. apply in_flat_map in Cz as ([v w] & E & V).
      apply in_flat_map. exists (v, w). split; [|exact V]. apply filter_In. split; [exact E|].
      unfold f. simpl in *. destruct (has_spec v C) as [yes|]; [exfalso|reflexivity].
      assert (both : In v C /\ In w C) by (apply (edges C v w); [now left|exact E|auto]).
      assert (In z C) by (destruct V as [<-|[<-|[]]]; tauto).
      exact (ap C' z I H Z). }
    apply (one C'); auto; now right.
Qed.

Lemma parts_exist M : NoDup U -> maximum U M ->
  exists parts, barrier U [] parts /\ halves parts <= length M.
Proof.
  intros D Mm. destruct (classes _ U (le_n _) D (incl_refl U)) as (parts & ap & good & all).
  exists parts. split.
  - intros v w V W A. right; right. apply all; auto. now apply neighbours_tied.
  - apply halves_reached; [exact ap| | |].
    + intros C I. now apply good.
    + intros C v w I E either_end. pose proof Mm as [(_ & inc & adj) _].
      assert (ends_in : In v U /\ In w U)
        by (split; apply inc; unfold ends; apply in_flat_map; exists (v, w); simpl; auto).
      destruct (all v w) as (C' & I' & V & W); try tauto.
      { apply neighbours_tied; try tauto. now apply adj. }
      assert (C = C') as -> by
        (destruct either_end as [X|X]; eapply apart_one; eauto).
      auto.
    + intros C x y I X Y no_x no_y. destruct (good C I) as (_ & _ & ties).
      destruct (ties x y X Y) as [e|T]; [exact e|]. destruct (T M Mm); contradiction.
Qed.

End Classes.

(** * The theorem *)

Lemma reached n : forall U, length U <= n -> NoDup U -> exists M S parts,
  maximum U M /\ barrier U S parts /\ bound S parts <= length M.
Proof.
  induction n as [|n IH]; intros U L D.
  { destruct U; [|simpl in L; lia].
    destruct (maximum_exists adjacent symmetric 0 [] L) as [M Mm].
    exists M, [], []. split; [exact Mm|]. split; [intros v w []|unfold bound; simpl; lia]. }
  destruct (maximum_exists adjacent symmetric _ U (le_n _)) as [M Mm].
  destruct (some_or_all (fun v => forall K, maximum U K -> covers K v)
    (fun v => exists K, maximum U K /\ ~ covers K v) U) as [(v & V & always)|all].
  - intros v _. destruct (missed_or_not U [v]) as [(K & Km & no)|yes].
    + right. exists K. split; [exact Km|]. apply no. now left.
    + left. intros K Km. destruct (covers_dec K v) as [|C]; [assumption|exfalso].
      apply (yes K Km). intros x [<-|[]]. exact C.
  - (* v belongs to the set *)
    pose proof (without_shorter U [v] v V (or_introl eq_refl)) as shorter.
    destruct (IH (without U [v])) as (K & S & parts & [HK _] & B & le);
      [lia|now apply NoDup_filter|].
    apply matching_without in HK as [HK no].
    exists M, (v :: S), parts. split; [exact Mm|]. split.
    + intros a b Ia Ib A. destruct (Nat.eq_dec a v) as [->|av]; [left; now left|].
      destruct (Nat.eq_dec b v) as [->|bv]; [right; left; now left|].
      destruct (B a b) as [H|[H|H]]; auto.
      * apply in_without. simpl. intuition congruence.
      * apply in_without. simpl. intuition congruence.
      * left; now right.
      * right; left; now right.
    + destruct (le_lt_dec (length M) (length K)) as [ge|lt].
      * exfalso. apply (no v (or_introl eq_refl)). apply always.
        now apply (as_large U M).
      * unfold bound in *. simpl. lia.
  - destruct (parts_exist U all M D Mm) as (parts & B & le).
    exists M, [], parts. auto.
Qed.

Theorem tutte_berge_reached U : NoDup U -> exists M S parts,
  maximum U M /\ barrier U S parts /\ bound S parts = length M.
Proof.
  intros D. destruct (reached _ U (le_n _) D) as (M & S & parts & Mm & B & le).
  exists M, S, parts. split; [exact Mm|]. split; [exact B|].
  pose proof (tutte_berge adjacent U S parts M B (proj1 Mm)). lia.
Qed.

(** * Certificates *)

Variable board : list nat.
Hypothesis no_repeats : NoDup board.

Theorem win_has_certificate p : settled p -> wins adjacent board (turn p) p ->
  exists M S parts, matching (at_ p :: unused board p) M /\
    barrier (unused board p) S parts /\ bound S parts < length M.
Proof.
  intros Se W. pose proof (proj1 (mover_wins adjacent symmetric board no_repeats p Se) W) as C.
  destruct (tutte_berge_reached (unused board p)) as (K & S & parts & [HK _] & B & e);
    [now apply NoDup_filter|].
  destruct (maximum_exists adjacent symmetric _ (at_ p :: unused board p) (le_n _)) as [M Mm].
  exists M, S, parts. split; [apply Mm|]. split; [exact B|]. rewrite e.
  destruct (le_lt_dec (length M) (length K)) as [le|lt]; [exfalso|exact lt].
  apply (settled_unused board p Se). destruct HK as (D & I & A). apply I, C.
  apply (as_large _ M); [exact Mm| |exact le]. repeat split; auto. intros x X. right. now apply I.
Qed.

Theorem loss_has_certificate p : settled p -> wins adjacent board (other (turn p)) p ->
  exists M S parts, matching (unused board p) M /\
    barrier (at_ p :: unused board p) S parts /\ bound S parts <= length M.
Proof.
  intros Se W. destruct (either adjacent symmetric board no_repeats p Se)
    as [[_ V]|[(M & Mm & C) _]].
  { exfalso. exact (not_both adjacent board p _ V W). }
  destruct (tutte_berge_reached (at_ p :: unused board p)) as (K & S & parts & Km & B & e).
  { constructor; [now apply settled_unused|]. now apply NoDup_filter. }
  exists M, S, parts. split; [exact (missing_head adjacent _ _ _ (proj1 Mm) C)|].
  split; [exact B|]. rewrite e, (equally_large _ K M Km Mm). lia.
Qed.

End Graph.
