(** Divisor Duel with no ceiling: but for D = 3, 4 and 8, the mover wins at once or it is endless.

    What is modelled. [Tally.tally_game] with the menu +1 and x2, the divisor D as its goal and no
    ceiling. The number grows without bound.

    What is proved.
    - [divisor_duel_value]: for every D but 3, 4 and 8 the mover wins in one move where the
      remainder of N is 0, D - 1 or D / 2, and everything else is endless.
    - [divisor_3], [divisor_4], [divisor_8]: the others, by their remainders. *)

From Coq Require Import List Arith Lia Bool.
From Numduel Require Import Game Tally.
Import ListNotations.

Definition divisor_duel (D : nat) : game := tally_game usual D None.

Section Residues.

Variable D : nat.
Hypothesis positive : 1 <= D.

(** A labelling by remainders. *)
Variable table : nat -> verdict.

Definition label (n : nat) : verdict := table (n mod D).

Definition worth_of (r : nat) : verdict := if r =? 0 then Win 1 else before false (table r).

Lemma worth_residue n : worth D None label n = worth_of (n mod D).
Proof. reflexivity. Qed.

Lemma residue_value s n : 1 <= n ->
  (forall m, 1 <= m -> number_agrees usual D None label m) ->
  value (divisor_duel D) (going_on s n) (label n).
Proof.
  intros H A. apply (tally_value usual D None (fun n => 1 <= n)); auto.
  intros m r M R _ _. rewrite usual_results in R by exact M. destruct R as [<-|[<-|[]]]; lia.
Qed.

Lemma next_residue n :
  let r := n mod D in
  r + 1 = D /\ (n + 1) mod D = 0 \/ r + 1 < D /\ (n + 1) mod D = r + 1.
Proof.
  intros r. pose proof (Nat.mod_upper_bound n D ltac:(lia)) as lt. fold r in lt.
  rewrite <- Nat.add_mod_idemp_l by lia. fold r.
  destruct (Nat.eq_dec (r + 1) D) as [e|ne]; [left|right].
  - rewrite e, Nat.mod_same; lia.
  - rewrite Nat.mod_small; lia.
Qed.

Lemma double_residue n :
  let r := n mod D in
  2 * r < D /\ (2 * n) mod D = 2 * r \/ D <= 2 * r /\ (2 * n) mod D = 2 * r - D.
Proof.
  intros r. pose proof (Nat.mod_upper_bound n D ltac:(lia)) as lt. fold r in lt.
  rewrite <- Nat.mul_mod_idemp_r by lia. fold r.
  destruct (le_lt_dec D (2 * r)) as [le|gt]; [right|left].
  - split; [exact le|]. replace (2 * r) with (2 * r - D + 1 * D) at 1 by lia.
    rewrite Nat.mod_add, Nat.mod_small; lia.
  - rewrite Nat.mod_small; lia.
Qed.

End Residues.

(** * All divisors but three *)

Definition hot (D r : nat) : bool := (r =? 0) || (r + 1 =? D) || (2 * r =? D).

Definition usually (D r : nat) : verdict := if hot D r then Win 1 else Endless.

Theorem divisor_duel_value D s n : 1 <= D -> D <> 3 -> D <> 4 -> D <> 8 -> 1 <= n ->
  value (divisor_duel D) (going_on s n) (usually D (n mod D)).
Proof.
  intros D1 D3 D4 D8 n1. apply (residue_value D D1 (usually D) s n n1). clear s n n1. intros n n1.
  assert (worth_is : forall r, worth_of (usually D) r =
    if r =? 0 then Win 1 else if hot D r then Loss 2 else Endless).
  { intros r. unfold worth_of, usually. destruct (r =? 0); [reflexivity|]. now destruct (hot D r). }
  assert (hot_iff : forall r, hot D r = true <-> r = 0 \/ r + 1 = D \/ 2 * r = D).
  { intros r. unfold hot. rewrite !orb_true_iff, !Nat.eqb_eq. tauto. }
  eapply agrees_by; [exact n1|apply worth_residue|apply worth_residue|].
  rewrite !worth_is. unfold label.
  pose proof (next_residue D D1 n) as A. pose proof (double_residue D D1 n) as B.
  cbv zeta in A, B. pose proof (Nat.mod_upper_bound n D ltac:(lia)) as lt.
  set (r := n mod D) in *. set (a := (n + 1) mod D) in *. set (b := (2 * n) mod D) in *.
  clearbody r a b. unfold usually. destruct (hot D r) eqn:H.
  - apply hot_iff in H. split.
    + assert (zero : a = 0 \/ b = 0) by lia.
      destruct zero as [-> | ->]; [left|right]; reflexivity.
    + assert (least : forall x e, (if x =? 0 then Win 1 else if hot D x then Loss 2 else Endless)
        = Win e -> 1 <= e).
      { intros x e. destruct (x =? 0), (hot D x);
          congruence || (intros E; injection E as <-; lia). }
      intros e [E|E]; eapply least; exact E.
  - assert (cold : ~ (r = 0 \/ r + 1 = D \/ 2 * r = D)).
    { intros C. apply hot_iff in C. congruence. }
    replace (a =? 0) with false by (symmetry; apply Nat.eqb_neq; lia).
    replace (b =? 0) with false by (symmetry; apply Nat.eqb_neq; lia).
    split; [intros e; destruct (hot D a), (hot D b); split; discriminate|].
    destruct (hot D a) eqn:Ha; [right|now left]. destruct (hot D b) eqn:Hb; [|reflexivity].
    exfalso. apply hot_iff in Ha, Hb. lia.
Qed.

(** * The other three *)

Definition row (l : list verdict) (r : nat) : verdict := nth r l Endless.

(** Looks through the remainders one by one. *)
Ltac by_remainders D :=
  intros n1; apply (residue_value D ltac:(lia)); [exact n1|]; clear; intros n n1;
  pose proof (next_residue D ltac:(lia) n) as A;
  pose proof (double_residue D ltac:(lia) n) as B;
  pose proof (Nat.mod_upper_bound n D ltac:(lia)) as lt;
  eapply agrees_by; [exact n1|apply worth_residue|apply worth_residue|];
  unfold label; cbv zeta in A, B;
  set (r := n mod D) in *; set (a := (n + 1) mod D) in *; set (b := (2 * n) mod D) in *;
  clearbody r a b;
  let rec one_by_one :=
    destruct r as [|r];
    [destruct A as [[? ->]|[? ->]], B as [[? ->]|[? ->]]; try (exfalso; lia);
     cbn;
     (split; [now auto
             |first [intros e [E|E]; solve [discriminate | injection E as <-; lia]
                    |do 2 eexists; repeat split; lia]])
    |first [exfalso; lia | one_by_one]]
  in one_by_one.

Theorem divisor_3 s n : 1 <= n ->
  value (divisor_duel 3) (going_on s n) (row [Win 1; Loss 2; Win 1] (n mod 3)).
Proof. by_remainders 3. Qed.

Theorem divisor_4 s n : 1 <= n ->
  value (divisor_duel 4) (going_on s n) (row [Win 1; Loss 2; Win 1; Win 1] (n mod 4)).
Proof. by_remainders 4. Qed.

Theorem divisor_8 s n : 1 <= n ->
  value (divisor_duel 8) (going_on s n)
    (row [Win 1; Win 5; Loss 4; Win 3; Win 1; Win 3; Loss 2; Win 1] (n mod 8)).
Proof. by_remainders 8. Qed.

(** The default settings. *)
Theorem divisor_13 : value (divisor_duel 13) (going_on first 1) Endless.
Proof. apply (divisor_duel_value 13 first 1); lia. Qed.
