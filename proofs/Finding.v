(** Finding the least number of a kind, and one among many. *)

From Coq Require Import List Arith Lia Bool.
Import ListNotations.

(** The least number up to [most] of which [f] is true. *)
Definition least (f : nat -> bool) (most : nat) : option nat := find f (seq 0 (S most)).

Lemma find_seq f a n i : find f (seq a n) = Some i ->
  f i = true /\ a <= i < a + n /\ forall j, a <= j < i -> f j = false.
Proof.
  revert a. induction n as [|n IH]; intros a; simpl; [discriminate|].
  destruct (f a) eqn:F.
  - intros [= ->]. repeat split; auto; lia.
  - intros H. apply IH in H as (Fi & R & before). split; [exact Fi|]. split; [lia|].
    intros j J. destruct (Nat.eq_dec j a) as [->|ne]; [exact F|]. apply before. lia.
Qed.

Lemma least_some f most i : least f most = Some i ->
  f i = true /\ i <= most /\ forall j, f j = true -> i <= j.
Proof.
  intros H. apply find_seq in H as (Fi & R & before). split; [exact Fi|]. split; [lia|].
  intros j Fj. destruct (le_lt_dec i j) as [le|lt]; [exact le|].
  rewrite before in Fj by lia. discriminate.
Qed.

Lemma least_none f most i : least f most = None -> i <= most -> f i = false.
Proof. intros H le. apply (find_none _ _ H), in_seq. lia. Qed.

Lemma some_or_all {A} (P Q : A -> Prop) l :
  (forall x, In x l -> P x \/ Q x) -> (exists x, In x l /\ P x) \/ (forall x, In x l -> Q x).
Proof.
  induction l as [|x l IH]; intros H; [right; intros ? []|].
  destruct (H x) as [p|q]; [now left|left; exists x; simpl; auto|].
  destruct IH as [(y & I & p)|all].
  - intros y Y. apply H. now right.
  - left. exists y. simpl; auto.
  - right. intros y [<-|Y]; auto.
Qed.
