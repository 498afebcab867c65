(** Lists of numbers, and when one of two different numbers divides the other. *)

From Coq Require Import List Arith Lia Bool.
Import ListNotations.

Definition has (v : nat) (l : list nat) : bool := existsb (Nat.eqb v) l.

Lemma has_spec v l : reflect (In v l) (has v l).
Proof.
  apply iff_reflect. unfold has. rewrite existsb_exists. split.
  - intros I; exists v; split; [exact I|apply Nat.eqb_refl].
  - intros (w & I & E). apply Nat.eqb_eq in E. now subst.
Qed.

Definition related (a b : nat) : bool :=
  negb (a =? b) && ((a mod b =? 0) || (b mod a =? 0)).

Lemma related_symmetric a b : related a b = related b a.
Proof. unfold related. now rewrite Nat.eqb_sym, orb_comm. Qed.

Lemma related_multiple a k : a <> 0 -> k <> 1 -> related a (a * k) = true.
Proof.
  intros A K. unfold related. apply andb_true_iff; split.
  - apply negb_true_iff, Nat.eqb_neq. nia.
  - apply orb_true_iff; right. apply Nat.eqb_eq. rewrite Nat.mul_comm. now apply Nat.mod_mul.
Qed.

Lemma one_related a : a <> 1 -> related 1 a = true.
Proof. intros H. rewrite <- (Nat.mul_1_l a). now apply related_multiple. Qed.
