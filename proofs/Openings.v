(** Openings of Multiplicity, by certificates that Rocq itself checks.

    What is modelled. As in [Geography]; the checks are programs that answer yes or no, and a yes is
    proved to be right ([win_checked], [loss_checked]).

    What is proved. At size 40 with `opening even` just 22 and 26 win ([even_openings_at_40]); at
    size 50 the first player wins in one move ([multiplicity_50]). *)

From Coq Require Import List Arith Lia Bool.
From Numduel Require Import Divisors Game Geography.
Import ListNotations.

Fixpoint distinct (l : list nat) : bool :=
  match l with [] => true | v :: rest => negb (has v rest) && distinct rest end.

Lemma distinct_NoDup l : distinct l = true -> NoDup l.
Proof.
  induction l as [|v l IH]; simpl; intros H; [constructor|].
  apply andb_true_iff in H as [N D]. destruct (has_spec v l); [discriminate|].
  constructor; auto.
Qed.

Section Checks.

Variable size : nat.

Definition is_matching (U : list nat) (M : list (nat * nat)) : bool :=
  distinct (ends M) && forallb (fun v => has v U) (ends M) &&
  forallb (fun e => related (fst e) (snd e)) M.

Lemma is_matching_right U M : is_matching U M = true -> matching related U M.
Proof.
  unfold is_matching. rewrite !andb_true_iff, !forallb_forall. intros [[D I] A].
  split; [now apply distinct_NoDup|]. split.
  - intros v V. specialize (I v V). now destruct (has_spec v U).
  - intros v w E. exact (A (v, w) E).
Qed.

Definition is_barrier (U S : list nat) (parts : list (list nat)) : bool :=
  forallb (fun v => forallb (fun w =>
    negb (related v w) || has v S || has w S || existsb (fun C => has v C && has w C) parts) U) U.

Lemma is_barrier_right U S parts : is_barrier U S parts = true -> barrier related U S parts.
Proof.
  unfold is_barrier. rewrite forallb_forall. intros H v w V W A.
  specialize (H v V). rewrite forallb_forall in H. specialize (H w W).
  rewrite !orb_true_iff, A, existsb_exists in H. simpl in H.
  destruct H as [[[H|H]|H]|(C & I & H)]; [discriminate| | |].
  - left. now destruct (has_spec v S).
  - right; left. now destruct (has_spec w S).
  - right; right. exists C. apply andb_true_iff in H as [Hv Hw].
    destruct (has_spec v C), (has_spec w C); try discriminate. auto.
Qed.

Definition proves_win (p : place) M S parts : bool :=
  is_matching (at_ p :: unused (seq 1 size) p) M &&
  is_barrier (unused (seq 1 size) p) S parts && (bound S parts <? length M).

Theorem win_checked p M S parts : settled p -> proves_win p M S parts = true ->
  exists n, wins_within (multiplicity size) (turn p) n p.
Proof.
  unfold proves_win. rewrite !andb_true_iff, Nat.ltb_lt. intros Se [[HM HB] lt].
  eapply (win_certificate related related_symmetric (seq 1 size) (seq_NoDup size 1));
    eauto using is_matching_right, is_barrier_right.
Qed.

Definition proves_loss (p : place) M S parts : bool :=
  is_matching (unused (seq 1 size) p) M &&
  is_barrier (at_ p :: unused (seq 1 size) p) S parts && (bound S parts <=? length M).

Theorem loss_checked p M S parts : settled p -> proves_loss p M S parts = true ->
  exists n, wins_within (multiplicity size) (other (turn p)) n p.
Proof.
  unfold proves_loss. rewrite !andb_true_iff, Nat.leb_le. intros Se [[HM HB] le].
  eapply (loss_certificate related related_symmetric (seq 1 size) (seq_NoDup size 1));
    eauto using is_matching_right, is_barrier_right.
Qed.

End Checks.

(** * Size 40, the first number even *)

Definition pairs : list (nat * nat) :=
  [(4, 36); (5, 25); (6, 18); (7, 35); (8, 40); (9, 27); (10, 20); (11, 33); (12, 24); (14, 28);
   (15, 30); (16, 32); (17, 34); (19, 38)].

Definition matching_without (v : nat) : list (nat * nat) :=
  if v =? 22 then (2, 26) :: (3, 21) :: (13, 39) :: pairs
  else if v =? 26 then (2, 22) :: (3, 21) :: (13, 39) :: pairs
  else (2, 22) :: (3, 39) :: (13, 26) :: pairs.

(** Without these numbers, all others are alone or in one of the parts. *)
Definition cut (v : nat) : list nat := remove Nat.eq_dec v [2; 3; 5; 7; 11; 13].

Definition parts_without (v : nat) : list (list nat) :=
  map (remove Nat.eq_dec v)
    [[4; 6; 8; 9; 10; 12; 14; 15; 16; 18; 20; 24; 27; 28; 30; 32; 36; 40]; [17; 34]; [19; 38]].

Definition opening : place := begin 1 false true.

Definition checks_at_40 (v : nat) : bool :=
  (if (v =? 22) || (v =? 26) then proves_loss else proves_win)
    40 (step opening v) (matching_without v) (cut v) (parts_without v).

Theorem even_openings_at_40 v : In v (steps related (seq 1 40) opening) ->
  ((exists n, wins_within (multiplicity 40) first n (step opening v)) <-> v = 22 \/ v = 26).
Proof.
  intros I.
  assert (all : forallb checks_at_40 (steps related (seq 1 40) opening) = true)
    by (vm_compute; reflexivity).
  rewrite forallb_forall in all. specialize (all v I). unfold checks_at_40 in all.
  pose proof (settled_after opening v) as Se.
  destruct (Nat.eqb_spec v 22) as [a|a], (Nat.eqb_spec v 26) as [b|b]; simpl orb in all;
    try (split; [intros _; auto|intros _; exact (loss_checked _ _ _ _ _ Se all)]).
  destruct (win_checked _ _ _ _ _ Se all) as [n W]. split; [|tauto].
  intros [m V]. exfalso. exact (not_both_win (multiplicity 40) _ first m n V W).
Qed.

Theorem openings_at_40 : steps related (seq 1 40) opening = map (fun i => 2 * i) (seq 1 20).
Proof. vm_compute. reflexivity. Qed.

(** * Size 50: the prime 29 leaves nothing *)

Theorem multiplicity_50 : wins_in (multiplicity 50) first 1 (begin 1 false false).
Proof.
  split.
  - apply (by_a_move (multiplicity 50) _ _ 0 _ (step (begin 1 false false) 29)).
    + vm_compute. reflexivity.
    + reflexivity.
    + apply in_map. vm_compute. tauto.
    + apply (over (multiplicity 50) _ _ 0 _ (Some first)); [vm_compute; reflexivity|reflexivity].
  - intros m W. destruct m as [|m]; [|lia]. inversion W as [n p r E g| |]. vm_compute in E.
    discriminate.
Qed.
