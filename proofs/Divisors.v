(** Lists of numbers, when one of two different numbers divides the other, and prime numbers. *)

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

Lemma related_iff a b : a <> 0 -> b <> 0 ->
  (related a b = true <-> a <> b /\ (Nat.divide a b \/ Nat.divide b a)).
Proof.
  intros A B. unfold related. rewrite andb_true_iff, negb_true_iff, Nat.eqb_neq, orb_true_iff.
  rewrite !Nat.eqb_eq, !Nat.mod_divide by assumption. tauto.
Qed.

(** * Prime numbers *)

Definition prime (p : nat) := 2 <= p /\ forall d, Nat.divide d p -> d = 1 \/ d = p.

Lemma divide_bound d n : n <> 0 -> Nat.divide d n -> 1 <= d <= n.
Proof. intros N [k ->]. destruct d, k; nia. Qed.

Lemma prime_or_divided n : 2 <= n -> prime n \/ exists d, 2 <= d < n /\ Nat.divide d n.
Proof.
  intros L. destruct (find (fun d => n mod d =? 0) (seq 2 (n - 2))) as [d|] eqn:F.
  - right. apply find_some in F as [I E]. apply in_seq in I. apply Nat.eqb_eq in E.
    exists d. split; [lia|]. apply Nat.mod_divide; [lia|exact E].
  - left. split; [exact L|]. intros d D. pose proof (divide_bound d n ltac:(lia) D) as B.
    destruct (Nat.eq_dec d 1) as [e|n1]; [now left|].
    destruct (Nat.eq_dec d n) as [e|nn]; [now right|exfalso].
    assert (I : In d (seq 2 (n - 2))) by (apply in_seq; lia).
    apply (find_none _ _ F) in I. apply Nat.eqb_neq in I. apply I.
    apply Nat.mod_divide; [lia|exact D].
Qed.

Lemma prime_divisor n : 2 <= n -> exists p k, prime p /\ n = p * k.
Proof.
  induction n as [n IH] using lt_wf_ind. intros L.
  destruct (prime_or_divided n L) as [P|(d & B & [k ->])].
  - exists n, 1. split; [exact P|lia].
  - destruct (IH d) as (p & j & P & ->); [lia|lia|]. exists p, (j * k). split; [exact P|lia].
Qed.

Lemma divides_prime_times p m d : prime p -> Nat.divide d (p * m) ->
  Nat.divide d m \/ exists e, d = p * e /\ Nat.divide e m.
Proof.
  intros [P only] D. destruct (only (Nat.gcd d p)) as [g|g]; [apply Nat.gcd_divide_r| |].
  - left. exact (Nat.gauss d p m D g).
  - right. assert (pd : Nat.divide p d) by (rewrite <- g; apply Nat.gcd_divide_l).
    destruct pd as [e ->]. exists e. split; [lia|]. destruct D as [k K]. exists k. nia.
Qed.

Lemma divides_two_primes p q d : prime p -> prime q -> Nat.divide d (p * q) ->
  d = 1 \/ d = p \/ d = q \/ d = p * q.
Proof.
  intros P Q D. destruct (divides_prime_times p q d P D) as [H|(e & -> & H)];
    apply (proj2 Q) in H as [->| ->]; rewrite ?Nat.mul_1_r; auto.
Qed.

Lemma prime_2 : prime 2.
Proof.
  split; [lia|]. intros d D. apply divide_bound in D; lia.
Qed.

Lemma prime_3 : prime 3.
Proof.
  split; [lia|]. intros d D. pose proof (divide_bound d 3 ltac:(lia) D).
  destruct (Nat.eq_dec d 2) as [->|]; [|lia]. destruct D as [k K]. lia.
Qed.
