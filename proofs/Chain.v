(** Divisor Line with the goal `chain`, from size 16 on (smaller sizes are not offered).

    What is modelled. The numbers from 1 to the size; the players take turns to claim a free one;
    whoever then holds three numbers of which the first divides the second and the second the third
    has won. That is `games/divisor_line/rules.py` with the goal `chain`; the marks are kept as in
    [Line].

    What is proved, for every size from 16 on.
    - [chain_first_player_wins]: the first player wins in five moves.
    - [winning_openings]: a first claim that is not one of the [losing] numbers wins in five moves.
    - [losing_openings]: after one that is, the second player wins within seven moves.
    - [openings_decided]: so a first claim loses just if it is one of the [losing] numbers: a prime
      above a sixth of the size, a product of two different primes above half of it, the square of
      a prime above a third of it, or the cube of a prime above half of it. *)

From Coq Require Import List Arith Lia Bool.
From Numduel Require Import Divisors Game Line.
Import ListNotations.

(** [a] is a proper divisor of [b]. *)
Definition below (a b : nat) : bool := (a <? b) && (b mod a =? 0).

Definition chain (l : list nat) : bool :=
  existsb (fun a => existsb (fun b => below a b && existsb (below b) l) l) l.

Section Chain.

Set Default Proof Using "All".  (* so that the statements can be had without the proofs *)

Variable size : nat.
Hypothesis large : 16 <= size.

Notation free := (free size).

Definition claim (p : line) (n : nat) : line := {|
  mine := theirs p;
  theirs := n :: mine p;
  turn := other (turn p);
  won := chain (n :: mine p)
|}.

Definition chain_game : game := {|
  position := line;
  mover := turn;
  moves p := if won p then [] else map (claim p) (free (mine p) (theirs p));
  outcome p := if won p then Some (Some (other (turn p))) else None
|}.

Notation wins := (wins_within chain_game).

(** * Chains *)

Lemma below_iff a b : below a b = true <-> a < b /\ exists k, b = a * k.
Proof.
  unfold below. rewrite andb_true_iff, Nat.ltb_lt, Nat.eqb_eq.
  destruct (Nat.eq_dec a 0) as [->|N].
  - split; [intros [L E]; simpl in E; lia|intros [L [k K]]; lia].
  - rewrite Nat.mod_divide by exact N. split; intros [L [k K]]; (split; [exact L|]); exists k; lia.
Qed.

Lemma below_times a k : a <> 0 -> 2 <= k -> below a (a * k) = true.
Proof. intros A K. apply below_iff. split; [nia|eauto]. Qed.

Lemma below_one a : 2 <= a -> below 1 a = true.
Proof. intros A. apply below_iff. split; [lia|]. exists a. lia. Qed.

Lemma below_trans a b c : below a b = true -> below b c = true -> below a c = true.
Proof.
  rewrite !below_iff. intros [L [k ->]] [M [j ->]]. split; [lia|]. exists (k * j). lia.
Qed.

Lemma chain_of l a b c : In a l -> In b l -> In c l -> below a b = true -> below b c = true ->
  chain l = true.
Proof.
  intros A B C AB BC. unfold chain. apply existsb_exists. exists a. split; [exact A|].
  apply existsb_exists. exists b. split; [exact B|]. rewrite AB. apply existsb_exists. eauto.
Qed.

Lemma chain_has l : chain l = true -> exists a b c,
  In a l /\ In b l /\ In c l /\ below a b = true /\ below b c = true.
Proof.
  intros H. apply existsb_exists in H as (a & A & H). apply existsb_exists in H as (b & B & H).
  apply andb_true_iff in H as [AB H]. apply existsb_exists in H as (c & C & BC).
  exists a, b, c. auto.
Qed.

Lemma chain_length l : chain l = true -> 3 <= length l.
Proof.
  intros H. apply chain_has in H as (a & b & c & A & B & C & AB & BC).
  apply below_iff in AB as [AB _], BC as [BC _].
  apply (NoDup_incl_length (l := [a; b; c])).
  - repeat constructor; simpl; intuition lia.
  - intros x [<-|[<-|[<-|[]]]]; assumption.
Qed.

Lemma short l : length l < 3 -> chain l = false.
Proof.
  intros L. destruct (chain l) eqn:C; [|reflexivity]. apply chain_length in C. lia.
Qed.

Definition tied (a b : nat) := below a b = true \/ below b a = true.

(** Three numbers are a chain only if each two of them are tied. *)
Lemma chain_tied a b c : chain [a; b; c] = true -> tied a b /\ tied a c /\ tied b c.
Proof.
  intros H. apply chain_has in H as (u & v & w & U & V & W & UV & VW).
  pose proof (below_trans _ _ _ UV VW) as UW. unfold tied.
  assert (u < v /\ v < w) by (split; [apply below_iff in UV|apply below_iff in VW]; tauto).
  simpl in U, V, W.
  destruct U as [U|[U|[U|[]]]], V as [V|[V|[V|[]]]], W as [W|[W|[W|[]]]]; subst; try lia; auto.
Qed.

Lemma tied_chain_one a b : 2 <= a -> 2 <= b -> tied a b -> chain [a; b; 1] = true.
Proof.
  intros A B [T|T].
  - apply (chain_of _ 1 a b); simpl; auto using below_one.
  - apply (chain_of _ 1 b a); simpl; auto using below_one.
Qed.

Lemma chain_swap a b c : chain [a; b; c] = true -> chain [a; c; b] = true.
Proof.
  intros H. apply chain_has in H as (u & v & w & U & V & W & UV & VW).
  assert (I : forall x, In x [a; b; c] -> In x [a; c; b]) by (intros x; simpl; tauto).
  apply (chain_of _ u v w); auto.
Qed.

(** * Forcing *)

(** The mover holds [m], the other [t], and nobody has won. *)
Definition at_turn (m t : list nat) (s : seat) : line :=
  {| mine := m; theirs := t; turn := s; won := false |}.

Lemma claim_start x : claim start x = at_turn [] [x] second.
Proof.
  unfold claim, at_turn. cbn [mine theirs turn start other].
  now rewrite (short [x]) by (simpl; lia).
Qed.

Lemma by_claim m t s n k : In n (free m t) ->
  chain (n :: m) = true \/ wins s k (at_turn t (n :: m) (other s)) ->
  wins s (S k) (at_turn m t s).
Proof.
  intros F H. apply (by_a_move chain_game _ _ k _ (claim (at_turn m t s) n)); try reflexivity.
  { simpl. now apply in_map. }
  destruct (chain (n :: m)) eqn:C.
  - apply (over chain_game _ _ k _ (Some s)); [|reflexivity].
    simpl. rewrite C, other_other. reflexivity.
  - destruct H as [H|H]; [discriminate|]. unfold claim. simpl. rewrite C. exact H.
Qed.

Lemma by_all_claims m t s k : (exists n, In n (free m t)) ->
  (forall n, In n (free m t) ->
    chain (n :: m) = false /\ wins (other s) k (at_turn t (n :: m) (other s))) ->
  wins (other s) (S k) (at_turn m t s).
Proof.
  intros [n0 F0] H. apply (by_every_move chain_game); try reflexivity.
  - simpl. intros e. symmetry in e. now apply other_differs in e.
  - simpl. intros e. apply map_eq_nil in e. rewrite e in F0. contradiction.
  - simpl. intros q Q. apply in_map_iff in Q as (n & <- & F). destruct (H n F) as [C W].
    unfold claim. simpl. now rewrite C.
Qed.

Lemma in_free m t n : In n (free m t) <-> 1 <= n <= size /\ ~ In n m /\ ~ In n t.
Proof. apply Line.in_free. lia. Qed.

Lemma is_free m t n : 1 <= n <= size -> Forall (fun x => x <> n) (m ++ t) -> In n (free m t).
Proof.
  intros N F. rewrite Forall_forall in F. apply in_free. split; [exact N|].
  split; intros I; apply (F n); auto; apply in_app_iff; auto.
Qed.

(** Sees that a number is free, comparing it with each that is held. *)
Ltac is_free := apply is_free; [lia|simpl; repeat constructor; auto; lia].

Lemma now_free m t n x : In x (free m t) -> x <> n -> In x (free t (n :: m)).
Proof. rewrite !in_free. simpl. intuition. Qed.

(** A threat must be answered. *)
Lemma one_threat m t s z k : In z (free m t) -> chain (z :: t) = true ->
  (forall n, In n (free m t) -> chain (n :: m) = false) ->
  wins (other s) (S k) (at_turn t (z :: m) (other s)) ->
  wins (other s) (S (S k)) (at_turn m t s).
Proof.
  intros F C none W. apply by_all_claims; [eauto|]. intros n N. split; [auto|].
  destruct (Nat.eq_dec n z) as [->|ne]; [exact W|].
  apply (by_claim _ _ _ z); [apply now_free; auto|now left].
Qed.

Lemma two_threats m t s a b : In a (free m t) -> In b (free m t) -> a <> b ->
  chain (a :: t) = true -> chain (b :: t) = true ->
  (forall n, In n (free m t) -> chain (n :: m) = false) ->
  wins (other s) 2 (at_turn m t s).
Proof.
  intros A B ne Ca Cb none. apply (one_threat m t s a 0 A Ca none).
  apply (by_claim _ _ _ b); [apply now_free; auto|now left].
Qed.

(** * Openings that win *)

(** A number with which two others make a chain with the opening. *)
Lemma fork_wins x y a b : NoDup [x; y; a; b] ->
  (forall n, In n [x; y; a; b] -> 2 <= n <= size) ->
  chain [a; y; x] = true -> chain [b; y; x] = true ->
  wins first 4 (claim start x).
Proof.
  intros D range Ca Cb. inversion_clear D as [|? ? Dx D']. inversion_clear D' as [|? ? Dy D''].
  inversion_clear D'' as [|? ? Da _]. simpl in Dx, Dy, Da.
  assert (X : 2 <= x <= size) by (apply range; simpl; auto).
  assert (Y : 2 <= y <= size) by (apply range; simpl; auto).
  assert (A : 2 <= a <= size) by (apply range; simpl; auto).
  assert (B : 2 <= b <= size) by (apply range; simpl; auto).
  destruct (chain_tied _ _ _ Ca) as (_ & ax & yx). destruct (chain_tied _ _ _ Cb) as (_ & bx & _).
  rewrite claim_start.
  apply (by_all_claims [] [x] second 3).
  { exists y. apply in_free. simpl. lia. }
  intros c F. apply in_free in F as (C & _ & Nc). simpl in Nc. split; [now apply short; simpl; lia|].
  change (wins first 3 (at_turn [x] [c] first)).
  destruct (Nat.eq_dec c 1) as [->|c1].
  - apply (by_claim _ _ _ y); [is_free|right].
    apply (two_threats [1] [y; x] second a b); [is_free|is_free|auto|exact Ca|exact Cb|].
    intros n _. apply short. simpl. lia.
  - apply (by_claim _ _ _ 1); [is_free|right].
    assert (two : forall u v, u <> v -> u <> c -> v <> c -> tied u x -> tied v x ->
      2 <= u <= size -> 2 <= v <= size -> u <> x -> v <> x ->
      wins first 2 (at_turn [c] [1; x] second)).
    { clear - large X c1. intros u v uv uc vc ux vx U V Nu Nv.
      apply (two_threats [c] [1; x] second u v); [is_free|is_free|exact uv| | |].
      - apply chain_swap, tied_chain_one; auto; lia.
      - apply chain_swap, tied_chain_one; auto; lia.
      - intros n _. apply short. simpl. lia. }
    destruct (Nat.eq_dec c y) as [->|cy]; [apply (two a b)|
      destruct (Nat.eq_dec c a) as [->|ca]; [apply (two y b)|apply (two y a)]]; auto; lia.
Qed.

Lemma one_wins : wins first 4 (claim start 1).
Proof.
  rewrite claim_start.
  apply (by_all_claims [] [1] second 3).
  { exists 2. apply in_free. simpl. lia. }
  intros c F. apply in_free in F as (C & _ & Nc). simpl in Nc. split; [now apply short; simpl; lia|].
  change (wins first 3 (at_turn [1] [c] first)).
  assert (two : forall y a b, 2 <= y <= size -> 2 <= a <= size -> 2 <= b <= size -> NoDup [y; a; b] ->
    ~ In c [y; a; b] -> tied a y -> tied b y -> wins first 3 (at_turn [1] [c] first)).
  { intros y a b Y A B D N ay by_. inversion_clear D as [|? ? Dy D']. inversion_clear D' as [|? ? Da _].
    simpl in Dy, Da, N.
    apply (by_claim _ _ _ y); [is_free|right].
    apply (two_threats [c] [y; 1] second a b); [is_free|is_free|lia| | |].
    - apply tied_chain_one; auto; lia.
    - apply tied_chain_one; auto; lia.
    - intros n _. apply short. simpl. lia. }
  assert (of : forall a b k, b = a * k -> 1 <= a -> 2 <= k -> tied b a).
  { intros a b k -> A K. right. apply below_times; lia. }
  destruct (Nat.eq_dec c 2) as [->|c2]; [|destruct (Nat.eq_dec c 4) as [->|c4]].
  - apply (two 3 6 9); try lia; [repeat constructor; simpl; lia|simpl; lia| |].
    + apply (of 3 6 2); lia.
    + apply (of 3 9 3); lia.
  - apply (two 2 6 8); try lia; [repeat constructor; simpl; lia|simpl; lia| |].
    + apply (of 2 6 3); lia.
    + apply (of 2 8 4); lia.
  - destruct (Nat.eq_dec c 6) as [->|c6].
    + apply (two 2 4 8); try lia; [repeat constructor; simpl; lia|simpl; lia| |].
      * apply (of 2 4 2); lia.
      * apply (of 2 8 4); lia.
    + apply (two 2 4 6); try lia; [repeat constructor; simpl; lia|simpl; lia| |].
      * apply (of 2 4 2); lia.
      * apply (of 2 6 3); lia.
Qed.

(** * Openings that lose *)

Definition losing (x : nat) :=
  prime x /\ size < 6 * x \/
  (exists p q, prime p /\ prime q /\ p <> q /\ x = p * q /\ size < 2 * x) \/
  (exists p, prime p /\ x = p * p /\ size < 3 * x) \/
  (exists p, prime p /\ x = p * p * p /\ size < 2 * x).

(** A number with which the opening and one more make a chain. *)
Lemma divides_below a b : below a b = true -> Nat.divide a b.
Proof. intros H. apply below_iff in H as [_ [k ->]]. exists k. lia. Qed.

Lemma losing_or_won x : 1 <= x <= size -> losing x \/ wins first 4 (claim start x).
Proof.
  intros X. destruct (Nat.eq_dec x 1) as [->|x1]; [right; exact one_wins|].
  destruct (prime_divisor x) as (p & m & P & ->); [lia|].
  assert (P2 : 2 <= p) by apply P.
  destruct (Nat.eq_dec m 1) as [->|m1].
  { (* a prime *)
    rewrite Nat.mul_1_r in *.
    destruct (le_lt_dec (6 * p) size) as [le|lt]; [right|now left; left].
    apply (fork_wins p (p * 2) (p * 4) (p * 6)).
    - repeat constructor; simpl; lia.
    - intros n [<-|[<-|[<-|[<-|[]]]]]; lia.
    - apply (chain_of _ p (p * 2) (p * 4)); simpl; auto; [apply below_times; lia|].
      replace (p * 4) with (p * 2 * 2) by lia. apply below_times; lia.
    - apply (chain_of _ p (p * 2) (p * 6)); simpl; auto; [apply below_times; lia|].
      replace (p * 6) with (p * 2 * 3) by lia. apply below_times; lia. }
  destruct m as [|m']; [lia|]. set (m := S m') in *.
  destruct (prime_divisor m) as (q & k & Q & E); [lia|]. clearbody m. subst m.
  assert (Q2 : 2 <= q) by apply Q.
  destruct (Nat.eq_dec k 1) as [->|k1].
  { rewrite Nat.mul_1_r in *. destruct (Nat.eq_dec p q) as [<-|pq].
    - (* a square *)
      destruct (le_lt_dec (3 * (p * p)) size) as [le|lt].
      2:{ left. right; right; left. exists p. auto. }
      right. apply (fork_wins (p * p) p (p * p * 2) (p * p * 3)).
      + repeat constructor; simpl; nia.
      + intros n [<-|[<-|[<-|[<-|[]]]]]; nia.
      + apply (chain_of _ p (p * p) (p * p * 2)); simpl; auto; apply below_times; nia.
      + apply (chain_of _ p (p * p) (p * p * 3)); simpl; auto; apply below_times; nia.
    - (* two different primes *)
      destruct (le_lt_dec (2 * (p * q)) size) as [le|lt].
      2:{ left. right; left. exists p, q. auto 6. }
      assert (below q (p * q) = true) by (rewrite Nat.mul_comm; apply below_times; lia).
      right. apply (fork_wins (p * q) (p * q * 2) p q).
      + repeat constructor; simpl; nia.
      + intros n [<-|[<-|[<-|[<-|[]]]]]; nia.
      + apply (chain_of _ p (p * q) (p * q * 2)); simpl; auto; apply below_times; nia.
      + apply (chain_of _ q (p * q) (p * q * 2)); simpl; auto; apply below_times; nia. }
  assert (K2 : 2 <= k) by (destruct k; nia).
  destruct (Nat.eq_dec q k) as [<-|qk].
  - destruct (Nat.eq_dec p q) as [<-|pq].
    + (* a cube *)
      destruct (le_lt_dec (2 * (p * (p * p))) size) as [le|lt].
      2:{ left. right; right; right. exists p. split; [exact P|split; [lia|exact lt]]. }
      right. apply (fork_wins (p * (p * p)) p (p * p) (p * (p * p) * 2)).
      * repeat constructor; simpl; nia.
      * intros n [<-|[<-|[<-|[<-|[]]]]]; nia.
      * apply (chain_of _ p (p * p) (p * (p * p))); simpl; auto; [apply below_times; nia|].
        rewrite Nat.mul_assoc. apply below_times; nia.
      * apply (chain_of _ p (p * (p * p)) (p * (p * p) * 2)); simpl; auto; apply below_times; nia.
    + (* p q q, with two numbers between q and it *)
      right. apply (fork_wins (p * (q * q)) q (q * p) (q * q)).
      * repeat constructor; simpl; nia.
      * intros n [<-|[<-|[<-|[<-|[]]]]]; nia.
      * apply (chain_of _ q (q * p) (p * (q * q))); simpl; auto; [apply below_times; lia|].
        replace (p * (q * q)) with (q * p * q) by lia. apply below_times; nia.
      * apply (chain_of _ q (q * q) (p * (q * q))); simpl; auto; [apply below_times; lia|].
        replace (p * (q * q)) with (q * q * p) by lia. apply below_times; nia.
  - (* p q k, with two numbers between p and it *)
    right. apply (fork_wins (p * (q * k)) p (p * q) (p * k)).
    + repeat constructor; simpl; nia.
    + intros n [<-|[<-|[<-|[<-|[]]]]]; nia.
    + apply (chain_of _ p (p * q) (p * (q * k))); simpl; auto; [apply below_times; lia|].
      rewrite Nat.mul_assoc. apply below_times; nia.
    + apply (chain_of _ p (p * k) (p * (q * k))); simpl; auto; [apply below_times; lia|].
      replace (p * (q * k)) with (p * k * q) by lia. apply below_times; nia.
Qed.

(** ** After a losing opening [x] the second player claims 1. *)

(** The first player has no threat: the second makes two. *)
Lemma no_threat x y : 2 <= x <= size -> 2 <= y <= size -> x <> y ->
  (forall n, 2 <= n <= size -> chain [n; y; x] = false) ->
  wins second 3 (at_turn [1] [y; x] second).
Proof.
  intros X Y xy quiet.
  assert (fork : forall m i j, 2 <= m -> 2 <= i -> 2 <= j -> i <> j -> m * i <= size ->
    m * j <= size -> ~ In x [m; m * i; m * j] -> ~ In y [m; m * i; m * j] ->
    wins second 3 (at_turn [1] [y; x] second)).
  { intros m i j M I J ij le le' Nx Ny. simpl in Nx, Ny.
    assert (ma : m < m * i) by nia. assert (mb : m < m * j) by nia.
    assert (ab : m * i <> m * j) by nia.
    assert (a : tied (m * i) m) by (right; apply below_times; lia).
    assert (b : tied (m * j) m) by (right; apply below_times; lia).
    set (u := m * i) in *. set (v := m * j) in *. clearbody u v.
    apply (by_claim _ _ _ m); [is_free|right].
    apply (two_threats [y; x] [m; 1] first u v); [is_free|is_free|exact ab| | |].
    - apply tied_chain_one; auto; lia.
    - apply tied_chain_one; auto; lia.
    - intros n N. apply in_free in N as (N & _ & N1). apply quiet. simpl in N1. lia. }
  destruct (in_dec Nat.eq_dec 2 [x; y]) as [two|two]; simpl in two.
  - destruct (in_dec Nat.eq_dec 3 [x; y]) as [three|three]; simpl in three.
    + apply (fork 4 2 3); simpl; lia.
    + destruct (in_dec Nat.eq_dec 6 [x; y]), (in_dec Nat.eq_dec 9 [x; y]); simpl in *;
        [lia|apply (fork 3 3 4)|apply (fork 3 2 4)|apply (fork 3 2 3)]; simpl; lia.
  - (* of 4, 6, 8 and 10 two are free *)
    destruct (in_dec Nat.eq_dec 4 [x; y]), (in_dec Nat.eq_dec 6 [x; y]),
      (in_dec Nat.eq_dec 8 [x; y]); simpl in *; try lia;
      first [apply (fork 2 2 3); simpl; lia | apply (fork 2 2 4); simpl; lia
            | apply (fork 2 2 5); simpl; lia | apply (fork 2 3 4); simpl; lia
            | apply (fork 2 3 5); simpl; lia | apply (fork 2 4 5); simpl; lia].
Qed.

(** The first player has the one threat [z], and the second answers it with two of its own. *)
Lemma threat_forked x y z a b : NoDup [x; y; z; a; b] ->
  (forall n, In n [x; y; z; a; b] -> 2 <= n <= size) ->
  (forall n, 2 <= n <= size -> n <> z -> chain [n; y; x] = false) ->
  tied a z -> tied b z -> wins second 3 (at_turn [1] [y; x] second).
Proof.
  intros D range only az bz. inversion_clear D as [|? ? Dx D1]. inversion_clear D1 as [|? ? Dy D2].
  inversion_clear D2 as [|? ? Dz D3]. inversion_clear D3 as [|? ? Da _]. simpl in *.
  assert (A : 2 <= a <= size) by (apply range; auto 7).
  assert (B : 2 <= b <= size) by (apply range; auto 7).
  assert (Z : 2 <= z <= size) by (apply range; auto 7).
  apply (by_claim _ _ _ z); [is_free|right].
  apply (two_threats [y; x] [z; 1] first a b); [is_free|is_free|lia| | |].
  - apply tied_chain_one; auto; lia.
  - apply tied_chain_one; auto; lia.
  - intros n N. apply in_free in N as (N & _ & N1). simpl in N1. apply only; lia.
Qed.

Lemma wins_longer s n m p : wins s n p -> n <= m -> wins s m p.
Proof. intros W le. exact (forces_longer chain_game _ s n m p le W). Qed.

Lemma after_one x : 2 <= x <= size ->
  (forall y, 2 <= y <= size -> y <> x -> wins second 5 (at_turn [1] [y; x] second)) ->
  wins second 7 (claim start x).
Proof.
  intros X all. rewrite claim_start.
  apply (by_claim _ _ _ 1); [is_free|right].
  apply (by_all_claims [x] [1] first 5).
  { destruct (Nat.eq_dec x 2) as [->|ne]; [exists 3|exists 2]; is_free. }
  intros y F. apply in_free in F as (Y & Nx & N1). simpl in Nx, N1.
  split; [apply short; simpl; lia|]. apply all; lia.
Qed.

(** *** The square and the product of primes *)

Lemma odd_prime p k : prime p -> 2 <= k -> p <> 2 * k.
Proof.
  intros [P only] K ->. destruct (only 2) as [e|e]; [exists k; lia|lia|lia].
Qed.

Lemma product_loses p q : prime p -> prime q -> p <> q -> p * q <= size -> size < 2 * (p * q) ->
  wins second 7 (claim start (p * q)).
Proof.
  intros P Q pq le lt. assert (2 <= p) by apply P. assert (2 <= q) by apply Q.
  assert (near : forall y, 2 <= y <= size -> tied y (p * q) -> y = p \/ y = q).
  { intros y Y [T|T].
    - pose proof (divides_below _ _ T) as D. apply below_iff in T as [T _].
      destruct (divides_two_primes p q y P Q D) as [->|[->|[->| ->]]]; auto; lia.
    - apply below_iff in T as [T [k ->]]. destruct k as [|[|k]]; nia. }
  apply after_one; [nia|]. intros y Y ne. apply (wins_longer _ 3); [|lia].
  apply no_threat; auto; [nia|]. intros n N.
  destruct (chain [n; y; p * q]) eqn:C; [exfalso|reflexivity].
  apply chain_tied in C as (ny & nx & yx). apply near in nx, yx; auto.
  assert (no : forall u v, prime u -> prime v -> u <> v -> below u v = true -> False).
  { intros u v U V uv B. apply divides_below in B. apply (proj2 V) in B as [->|]; [|auto].
    destruct U. lia. }
  destruct nx as [->| ->], yx as [->| ->], ny as [B|B]; try (apply below_iff in B; lia);
    apply no in B; auto.
Qed.

Lemma square_loses p : prime p -> p * p <= size -> size < 3 * (p * p) ->
  wins second 7 (claim start (p * p)).
Proof.
  intros P le lt. assert (P2 : 2 <= p) by apply P. assert (P3 : 3 <= p) by nia.
  assert (p4 : p <> 4) by apply (odd_prime p 2 P (le_n _)).
  assert (near : forall y, 2 <= y <= size -> tied y (p * p) -> y = p \/ y = p * p * 2).
  { intros y Y [T|T].
    - pose proof (divides_below _ _ T) as D. apply below_iff in T as [T _].
      destruct (divides_two_primes p p y P P D) as [->|[->|[->| ->]]]; auto; lia.
    - apply below_iff in T as [T [k ->]]. destruct k as [|[|[|k]]]; nia. }
  apply after_one; [nia|]. intros y Y ne. apply (wins_longer _ 3); [|lia].
  destruct (Nat.eq_dec y p) as [->|yp].
  - destruct (le_lt_dec (p * p * 2) size) as [two|one].
    + apply (threat_forked (p * p) p (p * p * 2) 2 (2 * p)).
      * repeat constructor; simpl; nia.
      * intros n N. simpl in N. nia.
      * intros n N no. destruct (chain [n; p; p * p]) eqn:C; [exfalso|reflexivity].
        apply chain_tied in C as (np & nx & _). apply near in nx as [->| ->]; auto.
        destruct np as [B|B]; apply below_iff in B; lia.
      * left. replace (p * p * 2) with (2 * (p * p)) by lia. apply below_times; nia.
      * left. replace (p * p * 2) with (2 * p * p) by lia. apply below_times; nia.
    + apply no_threat; auto; [nia|]. intros n N.
      destruct (chain [n; p; p * p]) eqn:C; [exfalso|reflexivity].
      apply chain_tied in C as (np & nx & _). apply near in nx as [->| ->]; auto; [|lia].
      destruct np as [B|B]; apply below_iff in B; lia.
  - destruct (Nat.eq_dec y (p * p * 2)) as [->|y2].
    + apply (threat_forked (p * p) (p * p * 2) p (p * 2) (p * 4)).
      * repeat constructor; simpl; nia.
      * intros n N. simpl in N. nia.
      * intros n N no. destruct (chain [n; p * p * 2; p * p]) eqn:C; [exfalso|reflexivity].
        apply chain_tied in C as (np & nx & _). apply near in nx as [->| ->]; auto.
        destruct np as [B|B]; apply below_iff in B; lia.
      * right. apply below_times; lia.
      * right. apply below_times; lia.
    + apply no_threat; auto; [nia|]. intros n N.
      destruct (chain [n; y; p * p]) eqn:C; [exfalso|reflexivity].
      apply chain_tied in C as (_ & _ & yx). apply near in yx as [->| ->]; auto.
Qed.

(** *** The prime *)

Lemma divides_four_times p d : prime p -> Nat.divide d (p * 4) ->
  In d [1; 2; 4; p; p * 2; p * 4].
Proof.
  intros P D. destruct (divides_prime_times p 4 d P D) as [H|(e & -> & H)].
  - pose proof (divide_bound d 4 ltac:(lia) H). destruct H as [k K]. simpl.
    destruct (Nat.eq_dec d 3) as [->|]; lia.
  - pose proof (divide_bound e 4 ltac:(lia) H). destruct H as [k K]. simpl.
    destruct (Nat.eq_dec e 3) as [->|]; [lia|].
    assert (e = 1 \/ e = 2 \/ e = 4) as [->|[->| ->]] by lia; lia.
Qed.

Lemma prime_loses p : prime p -> p <= size -> size < 6 * p -> wins second 7 (claim start p).
Proof.
  intros P le lt. assert (P3 : 3 <= p) by lia.
  assert (odd : forall k, 2 <= k -> p <> 2 * k) by (intros k K; now apply odd_prime).
  pose proof (odd 2 ltac:(lia)). pose proof (odd 3 ltac:(lia)). pose proof (odd 4 ltac:(lia)).
  pose proof (odd 6 ltac:(lia)).
  assert (near : forall y, 2 <= y <= size -> tied y p -> exists k, 2 <= k <= 5 /\ y = p * k).
  { intros y Y [T|T].
    - pose proof (divides_below _ _ T) as D. apply below_iff in T as [T _].
      destruct (proj2 P y D); lia.
    - apply below_iff in T as [T [k ->]]. exists k. nia. }
  (* among the multiples only 2p and 4p are tied *)
  assert (two_four : forall n y, 2 <= n <= size -> 2 <= y <= size -> chain [n; y; p] = true ->
    n = p * 2 /\ y = p * 4 \/ n = p * 4 /\ y = p * 2).
  { intros n y N Y C. apply chain_tied in C as (ny & nx & yx).
    apply near in nx as (j & J & ->); [|exact N]. apply near in yx as (k & K & ->); [|exact Y].
    assert (only : forall a i, 2 <= a -> a < a * i <= 5 -> a = 2 /\ i = 2).
    { intros a i A B. assert (2 <= i) by (destruct i as [|[|i]]; nia).
      assert (a <= 2) by nia. assert (i <= 2) by nia. lia. }
    destruct ny as [B|B]; apply below_iff in B as [L [i E]].
    - assert (k = j * i) as -> by nia. destruct (only j i) as [-> ->]; nia.
    - assert (j = k * i) as -> by nia. destruct (only k i) as [-> ->]; nia. }
  apply after_one; [lia|]. intros y Y ne.
  destruct (Nat.eq_dec y (p * 2)) as [->|y2].
  - apply (wins_longer _ 3); [|lia]. destruct (le_lt_dec (p * 4) size) as [four|no_four].
    + apply (threat_forked p (p * 2) (p * 4) 2 4).
      * repeat constructor; simpl; lia.
      * intros n N. simpl in N. lia.
      * intros n N no. destruct (chain [n; p * 2; p]) eqn:C; [exfalso|reflexivity].
        apply two_four in C; lia.
      * left. replace (p * 4) with (2 * (p * 2)) by lia. apply below_times; lia.
      * left. rewrite Nat.mul_comm. apply below_times; lia.
    + apply no_threat; auto; [lia|]. intros n N.
      destruct (chain [n; p * 2; p]) eqn:C; [exfalso|reflexivity]. apply two_four in C; lia.
  - destruct (Nat.eq_dec y (p * 4)) as [->|y4].
    2:{ apply (wins_longer _ 3); [|lia]. apply no_threat; auto; [lia|]. intros n N.
        destruct (chain [n; y; p]) eqn:C; [exfalso|reflexivity]. apply two_four in C; lia. }
    (* 4p threatens 2p; 2p threatens 2; 2 threatens 4; and 4 makes two threats *)
    apply (by_claim _ _ _ (p * 2)); [is_free|right].
    apply (one_threat [p * 4; p] [p * 2; 1] first 2 2); [is_free| | |].
    + apply tied_chain_one; try lia. left. rewrite Nat.mul_comm. apply below_times; lia.
    + intros n N. apply in_free in N as (N & _ & N1). simpl in N1.
      destruct (chain [n; p * 4; p]) eqn:C; [exfalso|reflexivity]. apply two_four in C; lia.
    + apply (by_claim _ _ _ 4); [is_free|right].
      set (b := if p =? 3 then 16 else 12).
      assert (B : b <> p /\ b <> p * 2 /\ b <> p * 4 /\ 12 <= b <= size /\ exists k, b = 4 * k /\ 3 <= k).
      { unfold b. destruct (Nat.eqb_spec p 3) as [->|p3].
        - repeat split; try lia. exists 4. lia.
        - repeat split; try lia. exists 3. lia. }
      clearbody b. destruct B as (b1 & b2 & b4 & b5 & k & -> & K).
      apply (two_threats [2; p * 4; p] [4; p * 2; 1] first (4 * 2) (4 * k));
        [is_free|is_free|lia| | |].
      * apply (chain_of _ 1 4 (4 * 2)); [simpl; auto..|reflexivity|reflexivity].
      * apply (chain_of _ 1 4 (4 * k)); [simpl; auto..|reflexivity|]. apply below_times; lia.
      * (* a chain would need a divisor of 4p that is free *)
        intros n N. apply in_free in N as (N & N1 & N2).
        destruct (chain [n; 2; p * 4; p]) eqn:C; [exfalso|reflexivity].
        assert (far : forall m, m <= size -> below (p * 4) m = false).
        { intros m M. destruct (below (p * 4) m) eqn:Bm; [exfalso|reflexivity].
          apply below_iff in Bm as [L [i ->]]. destruct i as [|[|i]]; nia. }
        assert (n4 : below n (p * 4) = false).
        { destruct (below n (p * 4)) eqn:Bn; [exfalso|reflexivity].
          apply divides_below, (divides_four_times p n P) in Bn. simpl in Bn, N1, N2. intuition lia. }
        assert (ge : forall m, In m [n; 2; p * 4; p] -> 2 <= m).
        { intros m [<-|[<-|[<-|[<-|[]]]]]; simpl in N2; lia. }
        apply chain_has in C as (u & v & w & U & V & W & UV & VW).
        destruct (Nat.eq_dec w (p * 4)) as [->|w4].
        -- destruct V as [<-|[<-|[<-|[<-|[]]]]].
           ++ congruence.
           ++ apply below_iff in UV. apply ge in U. lia.
           ++ apply below_iff in VW. lia.
           ++ pose proof (divides_below _ _ UV) as Du. apply below_iff in UV. apply ge in U.
              destruct (proj2 P u Du); lia.
        -- assert (small : forall m, In m [n; 2; p * 4; p] -> m <= size)
             by (intros m [<-|[<-|[<-|[<-|[]]]]]; lia).
           assert (v4 : v <> p * 4) by (intros ->; rewrite far in VW; [discriminate|auto]).
           assert (u4 : u <> p * 4) by (intros ->; rewrite far in UV; [discriminate|auto]).
           assert (others : forall m, In m [n; 2; p * 4; p] -> m <> p * 4 -> In m [n; 2; p]).
           { intros m [<-|[<-|[<-|[<-|[]]]]] no; simpl; auto. }
           assert (three : chain [n; 2; p] = true) by (apply (chain_of _ u v w); auto).
           apply chain_tied in three as (_ & _ & [B|B]).
           ++ apply divides_below in B. destruct (proj2 P 2 B); lia.
           ++ apply below_iff in B. lia.
Qed.

(** *** The cube *)

Lemma cube_loses p : prime p -> p * p * p <= size -> size < 2 * (p * p * p) ->
  wins second 7 (claim start (p * p * p)).
Proof.
  intros P le lt. assert (P2 : 2 <= p) by apply P.
  assert (P3 : 3 <= p) by (destruct (Nat.eq_dec p 2) as [->|]; lia).
  assert (p4 : p <> 4) by apply (odd_prime p 2 P (le_n _)).
  assert (near : forall y, 2 <= y <= size -> tied y (p * p * p) -> y = p \/ y = p * p).
  { intros y Y [T|T].
    - pose proof (divides_below _ _ T) as D. apply below_iff in T as [T _].
      rewrite <- Nat.mul_assoc in D.
      destruct (divides_prime_times p (p * p) y P D) as [H|(e & -> & H)];
        apply (divides_two_primes p p _ P P) in H as [->|[->|[->| ->]]]; auto; try lia; nia.
    - apply below_iff in T as [T [k ->]]. destruct k as [|[|k]]; nia. }
  apply after_one; [nia|]. intros y Y ne.
  destruct (Nat.eq_dec y (p * p)) as [->|yp].
  - apply (wins_longer _ 3); [|lia]. apply (threat_forked (p * p * p) (p * p) p (p * 2) (p * 4)).
    + repeat constructor; simpl; nia.
    + intros n N. simpl in N. nia.
    + intros n N no. destruct (chain [n; p * p; p * p * p]) eqn:C; [exfalso|reflexivity].
      apply chain_tied in C as (np & nx & _). apply near in nx as [->| ->]; auto.
      destruct np as [B|B]; apply below_iff in B; lia.
    + right. apply below_times; lia.
    + right. apply below_times; lia.
  - destruct (Nat.eq_dec y p) as [->|y1].
    2:{ apply (wins_longer _ 3); [|lia]. apply no_threat; auto; [nia|]. intros n N.
        destruct (chain [n; y; p * p * p]) eqn:C; [exfalso|reflexivity].
        apply chain_tied in C as (_ & _ & yx). apply near in yx as [->| ->]; auto. }
    assert (only : forall n, 2 <= n <= size -> n <> p * p -> chain [n; p; p * p * p] = false).
    { intros n N no. destruct (chain [n; p; p * p * p]) eqn:C; [exfalso|reflexivity].
      apply chain_tied in C as (np & nx & _). apply near in nx as [->| ->]; auto.
      destruct np as [B|B]; apply below_iff in B; lia. }
    destruct (le_lt_dec (p * p * 4) size) as [four|no_four].
    + apply (wins_longer _ 3); [|lia].
      apply (threat_forked (p * p * p) p (p * p) (p * p * 2) (p * p * 4)); auto.
      * repeat constructor; simpl; nia.
      * intros n N. simpl in N. nia.
      * right. apply below_times; nia.
      * right. apply below_times; nia.
    + (* 27, and a size below 36: 3 threatens 9; 9 threatens 18; 18 threatens 6 *)
      assert (p = 3) as -> by nia. simpl in *.
      apply (by_claim _ _ _ 9); [is_free|right].
      apply (one_threat [3; 27] [9; 1] first 18 2); [is_free|reflexivity| |].
      { intros n N. apply in_free in N as (N & _ & N1). simpl in N1. apply only; lia. }
      apply (by_claim _ _ _ 6); [is_free|right].
      apply (two_threats [18; 3; 27] [6; 9; 1] first 12 24);
        [is_free|is_free|lia|reflexivity|reflexivity|].
      intros n N. apply in_free in N as (N & N1 & N2).
      assert (all : forallb (fun n => negb (chain [n; 18; 3; 27]) || has n [6; 9; 1]) (seq 1 35) = true)
        by (vm_compute; reflexivity).
      rewrite forallb_forall in all. specialize (all n ltac:(apply in_seq; lia)).
      apply orb_true_iff in all as [H|H]; [now apply negb_true_iff|exfalso].
      destruct (has_spec n [6; 9; 1]); [contradiction|discriminate].
Qed.

(** * The theorems *)

Theorem losing_openings x : 1 <= x <= size -> losing x -> wins second 7 (claim start x).
Proof.
  intros X [[P lt]|[(p & q & P & Q & pq & -> & lt)|[(p & P & -> & lt)|(p & P & -> & lt)]]].
  - now apply prime_loses.
  - now apply product_loses.
  - now apply square_loses.
  - now apply cube_loses.
Qed.

(** Nobody wins with fewer than three numbers. *)
Definition held (s : seat) (p : line) : list nat := if same (turn p) s then mine p else theirs p.

Lemma takes_three s n p : wins s n p -> (won p = true -> 3 <= length (theirs p)) ->
  6 <= 2 * length (held s p) + n + (if same (turn p) s then 1 else 0).
Proof.
  assert (after_claim : forall p m, won (claim p m) = true -> 3 <= length (theirs (claim p m))).
  { intros q m C. now apply chain_length in C. }
  intros W. induction W as [n p r E g | n p q E M I W IH | n p E M N W IH]; intros three.
  - simpl in E. destruct (won p) eqn:V; [|discriminate]. injection E as <-.
    injection g as g. subst s. specialize (three eq_refl). unfold held.
    destruct (turn p); simpl in *; lia.
  - simpl in E, I. destruct (won p); [discriminate|].
    apply in_map_iff in I as (m & <- & F). specialize (IH (after_claim p m)).
    simpl in M. unfold held in *. simpl in IH. rewrite M in *.
    destruct s; simpl in *; lia.
  - simpl in E, N, W, IH. destruct (won p); [discriminate|].
    destruct (free (mine p) (theirs p)) as [|m l] eqn:F; [contradiction|].
    specialize (IH (claim p m) (or_introl eq_refl) (after_claim p m)).
    simpl in M. unfold held in *. simpl in IH. apply not_same in M.
    rewrite M in *. destruct s; simpl in *; lia.
Qed.

Theorem winning_openings x : 1 <= x <= size -> ~ losing x -> value chain_game (claim start x) (Loss 4).
Proof.
  intros X no. split; [now destruct (losing_or_won x X)|].
  intros m W. rewrite claim_start in W. apply takes_three in W; [|discriminate]. simpl in W. lia.
Qed.

Theorem chain_first_player_wins : value chain_game start (Win 5).
Proof.
  split.
  - apply (by_claim [] [] first 1); [is_free|right].
    rewrite <- claim_start. exact one_wins.
  - intros m W. apply takes_three in W; [|discriminate]. simpl in W. lia.
Qed.

Theorem openings_decided x : 1 <= x <= size ->
  ((exists n, wins second n (claim start x)) <-> losing x).
Proof.
  intros X. split.
  - intros [n W]. destruct (losing_or_won x X) as [L|V]; [exact L|exfalso].
    exact (not_both_win chain_game _ _ _ _ V W).
  - intros L. exists 7. now apply losing_openings.
Qed.

End Chain.
