(** Every position of a finite game has a value, and a program finds it.

    What is modelled. A game as in [Game], with a list of positions from which moves do not lead
    away, and where the game goes on there is a move. The program [solve] looks for the least number
    of moves in which a seat can force a win, or an end that it does not lose; it is slower than
    `solver/reference.py`, which works back from the ends, and finds the same.

    What is proved. What [solve] gives is the value ([solve_right]); so each position is won, lost,
    drawn or endless ([every_position_has_a_value]), and just one of these ([Game.one_value]). *)

From Coq Require Import List Arith Lia Bool.
From Numduel Require Import Finding Game.
Import ListNotations.

Section Finite.

Variable G : game.
Notation pos := (position G).

(** * Whether an end can be forced *)

Definition can_move (p : pos) : bool := match moves G p with [] => false | _ => true end.

Lemma can_move_iff p : can_move p = true <-> moves G p <> [].
Proof. unfold can_move. destruct (moves G p); split; congruence. Qed.

Section Forcing.

Variable good : option seat -> bool.
Variable s : seat.

Fixpoint forced (n : nat) (p : pos) : bool :=
  match outcome G p, n with
  | Some r, _ => good r
  | None, 0 => false
  | None, S n =>
      if same (mover G p) s then existsb (forced n) (moves G p)
      else can_move p && forallb (forced n) (moves G p)
  end.

Definition forces_good := forces G (fun r => good r = true) s.

Lemma forced_right n : forall p, forced n p = true <-> forces_good n p.
Proof.
  induction n as [|n IH]; intros p; simpl; destruct (outcome G p) as [r|] eqn:E.
  - split; [intros g; eapply over; eauto|]. intros H; inversion H; congruence.
  - split; [discriminate|]. intros H; inversion H; congruence.
  - split; [intros g; eapply over; eauto|]. intros H; inversion H; congruence.
  - destruct (same_spec (mover G p) s) as [M|M].
    + rewrite existsb_exists. split.
      * intros (q & I & F). eapply by_a_move; eauto. now apply IH.
      * intros H. inversion H; try congruence. subst. exists q. split; [assumption|now apply IH].
    + rewrite andb_true_iff, can_move_iff, forallb_forall. split.
      * intros [N F]. apply by_every_move; auto. intros q Q. now apply IH, F.
      * intros H. inversion H as [ | |n' p' E' M' N all]; try congruence; subst.
        split; [exact N|]. intros q Q. now apply IH, all.
Qed.

Lemma forced_longer n m p : n <= m -> forced n p = true -> forced m p = true.
Proof. rewrite !forced_right. apply forces_longer. Qed.

End Forcing.

Variable positions : list pos.
Hypothesis closed : forall p q, In p positions -> In q (moves G p) -> In q positions.
Hypothesis goes_on : forall p, In p positions -> outcome G p = None -> moves G p <> [].

Let most := length positions.

(** * As many moves as there are positions are enough *)

Section Enough.

Variable good : option seat -> bool.
Variable s : seat.

Let count n := length (filter (forced good s n) positions).

Lemma filter_same {A} (f g : A -> bool) l :
  (forall x, In x l -> f x = true -> g x = true) ->
  length (filter g l) <= length (filter f l) -> forall x, In x l -> g x = true -> f x = true.
Proof.
  assert (most_of : forall l, (forall x, In x l -> f x = true -> g x = true) ->
    length (filter f l) <= length (filter g l)).
  { induction l0 as [|y l0 IH]; simpl; intros H; [lia|].
    assert (IH' := IH (fun x X => H x (or_intror X))).
    destruct (f y) eqn:F; [rewrite (H y) by auto; simpl; lia|]. destruct (g y); simpl; lia. }
  induction l as [|y l IH]; simpl; intros H L x [].
  - subst y. intros Gx. rewrite Gx in L. destruct (f x); [reflexivity|].
    pose proof (most_of l (fun x X => H x (or_intror X))). simpl in L. lia.
  - apply IH; auto. pose proof (most_of l (fun x X => H x (or_intror X))).
    destruct (f y) eqn:F; [rewrite (H y) in L by auto; simpl in L; lia|].
    destruct (g y); simpl in L; lia.
Qed.

Lemma filter_fewer {A} (f : A -> bool) l : length (filter f l) <= length l.
Proof. induction l as [|x l IH]; simpl; [lia|]. destruct (f x); simpl; lia. Qed.

Definition stable n := forall p, In p positions -> forced good s (S n) p = true ->
  forced good s n p = true.

Lemma stable_on n : stable n -> stable (S n).
Proof.
  intros St p I F. cbn [forced] in F |- *. destruct (outcome G p); [exact F|].
  destruct (same (mover G p) s).
  - apply existsb_exists in F as (q & Q & F). apply existsb_exists. exists q; split; [exact Q|].
    apply St; [eauto|exact F].
  - apply andb_true_iff in F as [N F]. apply andb_true_iff. split; [exact N|].
    rewrite forallb_forall in F. apply forallb_forall. intros q Q. apply St; [eauto|exact (F q Q)].
Qed.

Lemma stable_or_more n : (exists k, k < n /\ stable k) \/ n <= count n.
Proof.
  induction n as [|n [(k & lt & St)|more]]; [right; lia|left; exists k; auto|].
  destruct (le_lt_dec (count (S n)) (count n)) as [le|lt]; [left|right; lia].
  exists n. split; [lia|]. intros p I F.
  apply (filter_same (forced good s n) (forced good s (S n)) positions); auto.
  intros x _. apply forced_longer. lia.
Qed.

Lemma enough n p : In p positions -> forced good s n p = true -> forced good s most p = true.
Proof.
  intros I F. destruct (stable_or_more (S most)) as [(k & lt & St)|more].
  - apply (forced_longer _ _ k); [lia|].
    assert (later : forall m, stable (k + m)).
    { induction m as [|m IH]; [now rewrite Nat.add_0_r|]. rewrite Nat.add_succ_r.
      now apply stable_on. }
    assert (back : forall m, forced good s (k + m) p = true -> forced good s k p = true).
    { induction m as [|m IH]; [now rewrite Nat.add_0_r|]. rewrite Nat.add_succ_r.
      intros H. apply IH, later; assumption. }
    apply (back n). apply (forced_longer _ _ n); [lia|exact F].
  - exfalso. enough (count (S most) <= most) by lia.
    apply filter_fewer.
Qed.

(** In how many moves [s] can force a good end, if it can. *)
Definition time (p : pos) : option nat := least (fun n => forced good s n p) most.

Lemma time_some p d : time p = Some d ->
  forces_good good s d p /\ d <= most /\ forall n, forces_good good s n p -> d <= n.
Proof.
  intros H. apply least_some in H as (F & le & first). split; [now apply forced_right|].
  split; [exact le|]. intros n Fn. apply first. now apply forced_right.
Qed.

Lemma time_exists p n : In p positions -> forces_good good s n p ->
  exists d, time p = Some d /\ d <= n.
Proof.
  intros I F. apply forced_right in F. destruct (time p) as [d|] eqn:T.
  - exists d. split; [reflexivity|]. apply time_some in T as (_ & _ & first). apply first.
    now apply forced_right.
  - apply (least_none _ _ most) in T; [|lia]. cbv beta in T.
    rewrite (enough n p I F) in T. discriminate.
Qed.

(** How it follows from what is one move on. *)

Lemma time_over p r : outcome G p = Some r -> time p = if good r then Some 0 else None.
Proof.
  intros E. assert (all : forall n, forced good s n p = good r)
    by (intros [|n]; simpl; now rewrite E).
  destruct (time p) as [d|] eqn:T.
  - apply least_some in T as (F & _ & first). cbv beta in F, first. rewrite all in F. rewrite F.
    assert (d <= 0) by (apply first; now rewrite all). f_equal. lia.
  - apply (least_none _ _ 0) in T; [|lia]. cbv beta in T. rewrite all in T. now rewrite T.
Qed.

Lemma time_own p d : In p positions -> outcome G p = None -> mover G p = s ->
  time p = Some d -> exists q e, In q (moves G p) /\ d = S e /\ time q = Some e.
Proof.
  intros I E M T. apply time_some in T as (F & _ & first).
  inversion F as [ |n p' q E' M' Q Fq| ]; try congruence. subst.
  destruct (time_exists q n) as (e & Tq & le); [eauto|exact Fq|].
  exists q, e. split; [exact Q|]. split; [|exact Tq].
  enough (S n <= S e) by lia. apply first. apply time_some in Tq as (Fe & _).
  eapply by_a_move; eauto.
Qed.

Lemma time_by_move p q e : In p positions -> outcome G p = None -> mover G p = s ->
  In q (moves G p) -> time q = Some e -> exists d, time p = Some d /\ d <= S e.
Proof.
  intros I E M Q T. apply time_exists; [exact I|]. apply time_some in T as (F & _).
  eapply by_a_move; eauto.
Qed.

Lemma time_others p d : In p positions -> outcome G p = None -> mover G p <> s ->
  time p = Some d ->
  (exists q e, In q (moves G p) /\ d = S e /\ time q = Some e) /\
  (forall q, In q (moves G p) -> exists e, time q = Some e /\ S e <= d).
Proof.
  intros I E M T. apply time_some in T as (F & _ & first).
  inversion F as [ | |n p' E' M' N all]; try congruence. subst.
  assert (each : forall q, In q (moves G p) -> exists e, time q = Some e /\ e <= n).
  { intros q Q. apply time_exists; [eauto|now apply all]. }
  split; [|intros q Q; destruct (each q Q) as (e & Tq & le); exists e; split; [exact Tq|lia]].
  destruct (some_or_all (fun q => exists e, S n = S e /\ time q = Some e)
    (fun q => exists e, time q = Some e /\ e < n) (moves G p)) as [(q & Q & e & H)|early].
  - intros q Q. destruct (each q Q) as (e & Tq & le).
    destruct (Nat.eq_dec e n) as [->|ne]; [left; eauto|right; exists e; split; [exact Tq|lia]].
  - exists q, e. tauto.
  - exfalso. destruct n as [|n].
    { destruct (moves G p) as [|q l]; [contradiction|]. destruct (early q) as (e & _ & lt);
        [now left|lia]. }
    enough (S (S n) <= S n) by lia. apply first. apply by_every_move; auto.
    intros q Q. destruct (early q Q) as (e & Tq & lt). apply time_some in Tq as (Fq & _).
    apply (forces_longer _ _ _ e); [lia|exact Fq].
Qed.

Lemma time_by_all p : In p positions -> outcome G p = None -> mover G p <> s ->
  (forall q, In q (moves G p) -> exists e, time q = Some e) -> exists d, time p = Some d.
Proof.
  intros I E M all. destruct (forces_all G (fun r => good r = true) s (moves G p)) as [n F].
  { intros q Q. destruct (all q Q) as [e Tq]. apply time_some in Tq as (Fq & _). eauto. }
  destruct (time_exists p (S n)) as (d & T & _); eauto.
  apply by_every_move; auto.
Qed.

End Enough.

(** * The program *)

Definition won_by (s : seat) (r : option seat) : bool :=
  match r with Some t => same t s | None => false end.

Definition unlost_by (s : seat) (r : option seat) : bool :=
  match r with Some t => same t s | None => true end.

Definition win_time (s : seat) : pos -> option nat := time (won_by s) s.
Definition end_time (s : seat) : pos -> option nat := time (unlost_by s) s.

Definition found (o : option nat) : bool := match o with Some _ => true | None => false end.

Definition is_drawn (p : pos) : bool :=
  negb (found (win_time first p)) && negb (found (win_time second p)) &&
  found (end_time first p) && found (end_time second p).

(** Whether an end is reached in [n] moves by way of drawn positions. *)
Fixpoint has_way (n : nat) (p : pos) : bool :=
  is_drawn p &&
  match outcome G p, n with
  | Some _, 0 => true
  | None, S n => existsb (has_way n) (moves G p)
  | _, _ => false
  end.

Definition draw_time (p : pos) : option nat := least (fun n => has_way n p) most.

Definition solve (p : pos) : verdict :=
  match win_time (mover G p) p, win_time (other (mover G p)) p with
  | Some d, _ => Win d
  | None, Some d => Loss d
  | None, None =>
      match is_drawn p, draw_time p with
      | true, Some d => Draw d
      | _, _ => Endless
      end
  end.

(** * It is right *)

Lemma win_excludes s p d : win_time s p = Some d ->
  win_time (other s) p = None /\ end_time (other s) p = None.
Proof.
  intros T. apply time_some in T as (F & _).
  assert (no : forall good n, (forall t, good (Some t) = same t (other s)) ->
    ~ forces_good good (other s) n p).
  { intros good n H. apply (not_both_forced G (fun r => won_by s r = true) _ s d n p);
      [|exact F].
    intros [t|]; [|discriminate]. rewrite H. simpl. destruct s, t; discriminate. }
  split; match goal with |- ?o = None => destruct o as [e|] eqn:T' end; try reflexivity;
    apply time_some in T' as (F' & _); exfalso; eapply no; eauto; reflexivity.
Qed.

Lemma win_ends s p d : In p positions -> win_time s p = Some d -> exists e, end_time s p = Some e.
Proof.
  intros I T. apply time_some in T as (F & _).
  destruct (time_exists (unlost_by s) s p d I) as (e & T & _); [|eauto].
  eapply forces_weaker; [|exact F]. intros [t|]; [auto|discriminate].
Qed.

Lemma says_iff s p d : says G solve s p d <-> win_time s p = Some d.
Proof.
  unfold says, solve. destruct (same_spec (mover G p) s) as [->|M].
  - destruct (win_time s p) as [e|]; [split; congruence|].
    destruct (win_time (other s) p), (is_drawn p), (draw_time p); split; discriminate.
  - apply not_same in M. rewrite M, other_other.
    destruct (win_time (other s) p) as [e|] eqn:T.
    + split; [discriminate|]. intros T'. apply win_excludes in T' as [T' _]. congruence.
    + destruct (win_time s p) as [e|]; [split; congruence|].
      destruct (is_drawn p), (draw_time p); split; discriminate.
Qed.

Lemma open_iff p : open G solve p = true <-> forall s, win_time s p = None.
Proof.
  unfold open, solve. split.
  - intros O s. assert (H : s = mover G p \/ s = other (mover G p))
      by (destruct s, (mover G p); auto).
    destruct (win_time (mover G p) p) eqn:A; [discriminate|].
    destruct (win_time (other (mover G p)) p) eqn:B; [discriminate|].
    destruct H as [-> | ->]; assumption.
  - intros H. rewrite !H. destruct (is_drawn p), (draw_time p); reflexivity.
Qed.

Lemma closed_or_open p : open G solve p = true \/ exists s d, win_time s p = Some d.
Proof.
  destruct (win_time first p) as [d|] eqn:A; [right; eauto|].
  destruct (win_time second p) as [d|] eqn:B; [right; eauto|].
  left. apply open_iff. intros []; assumption.
Qed.

Lemma is_drawn_iff p : is_drawn p = true <->
  open G solve p = true /\ forall s, exists r, end_time s p = Some r.
Proof.
  unfold is_drawn. rewrite open_iff, !andb_true_iff, !negb_true_iff. unfold found. split.
  - intros [[[A B] C] D]. split; intros [].
    + now destruct (win_time first p).
    + now destruct (win_time second p).
    + destruct (end_time first p); [eauto|discriminate].
    + destruct (end_time second p); [eauto|discriminate].
  - intros [W E]. rewrite !W. destruct (E first) as [a ->], (E second) as [b ->]. auto.
Qed.

(** From an open position the mover has no winning move, and one that leaves it open. *)
Lemma open_no_win p q s : In p positions -> outcome G p = None -> open G solve p = true ->
  In q (moves G p) -> mover G p = s -> win_time s q = None.
Proof.
  intros I E O Q M. destruct (win_time s q) as [e|] eqn:T; [|reflexivity].
  destruct (time_by_move _ s p q e I E M Q T) as (d & T' & _).
  pose proof (proj1 (open_iff p) O s). unfold win_time in *. congruence.
Qed.

Lemma open_waits_too p : In p positions -> outcome G p = None -> open G solve p = true ->
  waits G solve p.
Proof.
  intros I E O. split.
  - intros q e Q W. apply seen_win in W as (d & _ & S). apply says_iff in S.
    rewrite (open_no_win p q (mover G p)) in S by auto. discriminate.
  - destruct (some_or_all (fun q => open G solve q = true)
      (fun q => exists d, win_time (other (mover G p)) q = Some d) (moves G p)) as [H|all]; auto.
    + intros q Q. destruct (closed_or_open q) as [H|(s & d & T)]; [now left|right].
      exists d. destruct (same_spec (mover G p) s) as [M|M].
      * rewrite (open_no_win p q s) in T by auto. discriminate.
      * apply not_same in M. rewrite M, other_other. exact T.
    + exfalso. destruct (time_by_all (won_by (other (mover G p))) (other (mover G p)) p) as [d T];
        auto; [intros e; symmetry in e; now apply other_differs in e|].
      pose proof (proj1 (open_iff p) O (other (mover G p))). unfold win_time in *. congruence.
Qed.

Lemma rank_right s p : In p positions -> outcome G p = None -> open G solve p = true ->
  rank_agrees G solve end_time s p.
Proof.
  intros I E O. unfold rank_agrees. destruct (end_time s p) as [r|] eqn:R.
  - destruct (same_spec (mover G p) s) as [M|M].
    + destruct (time_own _ s p r I E M R) as (q & e & Q & -> & Rq).
      exists q. split; [exact Q|]. split; [|exists e; split; [exact Rq|lia]].
      destruct (closed_or_open q) as [H|(t & d & T)]; [exact H|exfalso].
      destruct (same_spec t s) as [->|ne].
      * rewrite (open_no_win p q s) in T by auto. discriminate.
      * apply not_same in ne as ->. apply win_excludes in T as [_ T]. rewrite other_other in T.
        unfold end_time in *. congruence.
    + intros q Q _. destruct (time_others _ s p r I E M R) as [_ all].
      destruct (all q Q) as (e & Rq & le). exists e. split; [exact Rq|lia].
  - destruct (same_spec (mover G p) s) as [M|M].
    + intros q Q _. destruct (end_time s q) as [e|] eqn:Rq; [|reflexivity].
      destruct (time_by_move _ s p q e I E M Q Rq) as (d & R' & _).
      unfold end_time in *. congruence.
    + destruct (some_or_all (fun q => open G solve q = true /\ end_time s q = None)
        (fun q => exists e, end_time s q = Some e) (moves G p)) as [H|all]; auto.
      * intros q Q. destruct (end_time s q) as [e|] eqn:Rq; [right; eauto|left].
        split; [|reflexivity].
        destruct (closed_or_open q) as [H|(t & d & T)]; [exact H|exfalso].
        destruct (same_spec t s) as [->|ne].
        -- destruct (win_ends s q d) as [e Rq']; [eauto|exact T|]. congruence.
        -- rewrite (open_no_win p q t) in T; auto; [discriminate|].
           apply not_same in ne, M. congruence.
      * exfalso. destruct (time_by_all _ s p I E M all) as [d R']. unfold end_time in *. congruence.
Qed.

(** A drawn position has a way to an end. *)
Lemma way_exists r : forall p, In p positions -> is_drawn p = true -> end_time first p = Some r ->
  exists n, n <= r /\ has_way n p = true.
Proof.
  induction r as [r IH] using lt_wf_ind. intros p I D R.
  destruct (outcome G p) as [w|] eqn:E.
  { exists 0. split; [lia|]. simpl. now rewrite D, E. }
  pose proof (proj1 (is_drawn_iff p) D) as [O ends]. set (s := mover G p).
  destruct (ends s) as [rs Rs], (ends (other s)) as [ro Ro].
  destruct (time_own _ s p rs I E eq_refl Rs) as (q & e & Q & -> & Rq).
  assert (M : mover G p <> other s) by (unfold s; now destruct (mover G p)).
  destruct (time_others _ (other s) p ro I E M Ro) as [_ all].
  destruct (all q Q) as (e' & Rq' & le).
  assert (Dq : is_drawn q = true).
  { apply is_drawn_iff. split.
    - destruct (closed_or_open q) as [H|(t & d & T)]; [exact H|exfalso].
      apply win_excludes in T as [_ T].
      assert (H : other t = s \/ other t = other s) by (destruct t, s; auto).
      unfold end_time in *. destruct H as [H|H]; rewrite H in T; congruence.
    - intros t. assert (H : t = s \/ t = other s) by (destruct t, s; auto).
      destruct H as [-> | ->]; unfold end_time; eauto. }
  assert (lower : exists r', end_time first q = Some r' /\ r' < r).
  { assert (H : first = s \/ first = other s) by (destruct s; auto).
    unfold end_time in *.
    destruct H as [H|H]; rewrite H in *; [exists e|exists e']; split; auto.
    - rewrite Rs in R. injection R as <-. lia.
    - rewrite Ro in R. injection R as <-. lia. }
  destruct lower as (r' & Rq'' & lt).
  destruct (IH r' lt q) as (n & le' & W); eauto.
  exists (S n). split; [lia|]. simpl. rewrite D, E. simpl. apply existsb_exists. eauto.
Qed.

Lemma draw_time_exists p : In p positions -> is_drawn p = true -> exists d, draw_time p = Some d.
Proof.
  intros I D. destruct (draw_time p) as [d|] eqn:T; [eauto|exfalso].
  destruct (proj1 (is_drawn_iff p) D) as [_ ends]. destruct (ends first) as [r R].
  destruct (way_exists r p I D R) as (n & le & W).
  apply time_some in R as (_ & le' & _).
  apply (least_none _ _ n) in T; [|lia]. congruence.
Qed.

Lemma solve_draw p d : solve p = Draw d <-> is_drawn p = true /\ draw_time p = Some d.
Proof.
  split.
  - unfold solve. destruct (win_time _ p); [discriminate|].
    destruct (win_time _ p); [discriminate|].
    destruct (is_drawn p), (draw_time p); try discriminate. intros [= ->]. auto.
  - intros [D T]. destruct (proj1 (is_drawn_iff p) D) as [O _].
    unfold solve. rewrite !(proj1 (open_iff p) O), D, T. reflexivity.
Qed.

Lemma has_way_drawn n p : has_way n p = true -> is_drawn p = true.
Proof. destruct n; simpl; intros H; now apply andb_true_iff in H. Qed.

Lemma draw_distance p d : In p positions -> outcome G p = None -> solve p = Draw d ->
  (exists q, In q (moves G p) /\ seen G solve p q = Draw d) /\
  forall q e, In q (moves G p) -> seen G solve p q = Draw e -> d <= e.
Proof.
  intros I E H. apply solve_draw in H as [D T]. apply least_some in T as (W & _ & first).
  cbv beta in W, first.
  assert (step : forall q n, In q (moves G p) -> has_way n q = true -> has_way (S n) p = true).
  { intros q n Q Wq. simpl. rewrite D, E. simpl. apply existsb_exists. eauto. }
  split.
  - destruct d as [|n]; simpl in W; rewrite D, E in W; simpl in W; [discriminate|].
    apply existsb_exists in W as (q & Q & W). exists q. split; [exact Q|].
    assert (Dq := has_way_drawn n q W).
    destruct (draw_time_exists q) as [e T]; [eauto|exact Dq|].
    apply seen_draw. exists e. split; [|now apply solve_draw].
    apply least_some in T as (We & _ & first'). specialize (first' n W).
    specialize (first (S e) (step q e Q We)). lia.
  - intros q e Q Sq. apply seen_draw in Sq as (e' & -> & Sq). apply solve_draw in Sq as [_ T].
    apply least_some in T as (We & _). apply first. eauto.
Qed.

Lemma solve_agrees p : In p positions ->
  agrees G (fun q => In q positions) solve end_time p.
Proof.
  intros I. unfold agrees. destruct (outcome G p) as [[w|]|] eqn:E.
  - (* won *)
    change (says G solve w p 0). apply says_iff. unfold win_time.
    rewrite (time_over _ _ p _ E). simpl. now destruct w.
  - (* drawn *)
    assert (W : forall s, win_time s p = None)
      by (intros s; unfold win_time; now rewrite (time_over _ _ p _ E)).
    assert (R : forall s, end_time s p = Some 0)
      by (intros s; unfold end_time; now rewrite (time_over _ _ p _ E)).
    split; [|exact R]. apply solve_draw.
    assert (D : is_drawn p = true) by (apply is_drawn_iff; rewrite open_iff; eauto).
    split; [exact D|]. destruct (draw_time_exists p I D) as [d T]. rewrite T. f_equal.
    apply least_some in T as (_ & _ & first). enough (d <= 0) by lia. apply first.
    simpl. now rewrite D, E.
  - (* it goes on *)
    split; [eauto|]. unfold agrees_going_on.
    destruct (solve p) as [d|d|d|] eqn:L.
    + assert (S : says G solve (mover G p) p d)
        by (unfold says; rewrite L; now destruct (mover G p)).
      apply says_iff in S. split.
      * destruct (time_own _ _ p d I E eq_refl S) as (q & e & Q & -> & T).
        exists q. split; [exact Q|]. apply seen_win. exists e. split; [reflexivity|].
        now apply says_iff.
      * intros q e Q W. apply seen_win in W as (e' & -> & W). apply says_iff in W.
        destruct (time_by_move _ _ p q e' I E eq_refl Q W) as (d' & T & le).
        unfold win_time in *. assert (d' = d) by congruence. lia.
    + set (s := other (mover G p)).
      assert (S : says G solve s p d) by (unfold says, s; rewrite L; now destruct (mover G p)).
      apply says_iff in S.
      assert (M : mover G p <> s) by (unfold s; now destruct (mover G p)).
      destruct (time_others _ _ p d I E M S) as [(q & e & Q & -> & T) all]. split.
      * exists q. split; [exact Q|]. apply seen_loss. exists e. split; [reflexivity|].
        now apply says_iff.
      * intros q' Q'. destruct (all q' Q') as (e' & T' & le). exists (Datatypes.S e').
        split; [|exact le]. apply seen_loss. exists e'. split; [reflexivity|].
        now apply says_iff.
    + assert (O : open G solve p = true) by (unfold open; now rewrite L).
      split; [now apply open_waits_too|]. split.
      * intros s. split; [now apply rank_right|].
        apply solve_draw in L as [D _]. destruct (proj1 (is_drawn_iff p) D) as [_ ends].
        destruct (ends s) as [r ->]. discriminate.
      * now apply draw_distance.
    + assert (O : open G solve p = true) by (unfold open; now rewrite L).
      split; [now apply open_waits_too|]. split; [intros s; now apply rank_right|].
      destruct (end_time first p) as [a|] eqn:A; [|eauto].
      destruct (end_time second p) as [b|] eqn:B; [|eauto].
      exfalso. assert (D : is_drawn p = true).
      { apply is_drawn_iff. split; [exact O|]. intros []; eauto. }
      destruct (draw_time_exists p I D) as [d T].
      assert (L' : solve p = Draw d) by (apply solve_draw; auto). congruence.
Qed.

Theorem solve_right p : In p positions -> value G p (solve p).
Proof. apply (labels_are_the_value G _ solve end_time solve_agrees). Qed.

Theorem every_position_has_a_value p : In p positions -> exists v, value G p v.
Proof. intros I. exists (solve p). now apply solve_right. Qed.

End Finite.
