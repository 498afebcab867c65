(** Openings of Multiplicity that always win: twice a prime between a quarter and a third of the
    size.

    What is modelled. As in [Geography]: the start is 1, which counts as chosen or, with
    `start_open`, does not; the first number may have to be even.

    What is proved.
    - [double_prime_wins]: if three different primes lie in (n/4, n/3], then twice any of them is a
      legal first move, and wins; with `start_open` if there is a prime above n/2 as well.
    - [three_primes], [prime_above]: there are three such primes for every n from 177 to
      [checked_to], and a prime above n/2; by computation.
    - [always_wins]: so for those n twice any prime in (n/4, n/3] wins.
    - [always_wins_beyond]: and for every n from 177 on, if beyond [checked_to] / 4 there is always a
      prime between x and 11x/10. That is known (L. Schoenfeld, "Sharper bounds for the Chebyshev
      functions II", 1976, has a prime between x and x + x/16597 from 2,010,760 on), and is not
      proved here. *)

From Coq Require Import List Arith NArith Lia Bool.
From Numduel Require Import Divisors Finding Game Geography.
Import ListNotations.

(** * Switching edges *)

Definition partner (M : list (nat * nat)) (v w : nat) := In (v, w) M \/ In (w, v) M.

Section Switching.

Variable adjacent : nat -> nat -> bool.
Hypothesis symmetric : forall v w, adjacent v w = adjacent w v.

Notation matching := (matching adjacent).

Lemma covered_partner M v : covers M v <-> exists w, partner M v w.
Proof.
  unfold covers, ends. rewrite in_flat_map. split.
  - intros ([a b] & E & [V|[V|[]]]); simpl in V; subst v.
    + exists b. now left.
    + exists a. now right.
  - intros (w & [E|E]); eexists; (split; [exact E|simpl; auto]).
Qed.

Lemma partner_adjacent U M v w : matching U M -> partner M v w ->
  adjacent v w = true /\ In v U /\ In w U.
Proof.
  intros (_ & I & A) P.
  assert (C : In v (ends M) /\ In w (ends M)).
  { split; apply covered_partner; [exists w|exists v]; destruct P; [left|right|right|left]; assumption. }
  split; [|split; apply I; tauto].
  destruct P as [P|P]; [auto|]. rewrite symmetric. auto.
Qed.

Lemma without_edge U M v w : matching U M -> partner M v w -> exists N,
  length M = S (length N) /\ matching U N /\ ~ covers N v /\ ~ covers N w /\
  (forall a b, partner M a b -> a = v \/ a = w \/ partner N a b) /\
  (forall a b, partner N a b -> partner M a b).
Proof.
  intros (D & I & A) P.
  assert (E : exists e, In e M /\ (e = (v, w) \/ e = (w, v)))
    by (destruct P; eexists; split; eauto).
  destruct E as (e & E & is_edge). destruct (in_split _ _ E) as (M1 & M2 & ->).
  pose proof (ends_split M1 e M2) as Pm.
  apply (Permutation.Permutation_NoDup Pm) in D. inversion_clear D as [|? ? Da D'].
  inversion_clear D' as [|? ? Db D]. simpl in Da.
  exists (M1 ++ M2).
  assert (sub : forall x, In x (M1 ++ M2) -> In x (M1 ++ e :: M2)).
  { intros x X. rewrite in_app_iff in *. simpl. tauto. }
  split; [rewrite !app_length; simpl; lia|]. split; [|split; [|split; [|split]]].
  - split; [exact D|]. split; [|intros a b X; apply A; auto].
    intros x X. apply I. unfold ends in *. apply in_flat_map in X as (f & F & X).
    apply in_flat_map. exists f. auto.
  - unfold covers. destruct is_edge as [-> | ->]; simpl in *; tauto.
  - unfold covers. destruct is_edge as [-> | ->]; simpl in *; tauto.
  - assert (other : forall x, In x (M1 ++ e :: M2) -> x = e \/ In x (M1 ++ M2)).
    { intros x X. rewrite in_app_iff in *. simpl in X. intuition. }
    intros a b [X|X]; apply other in X as [X|X]; unfold partner; auto;
      destruct is_edge as [-> | ->]; injection X as -> ->; auto.
  - intros a b [X|X]; [left|right]; auto.
Qed.

Lemma partner_unique U M v v' w : matching U M -> partner M v w -> partner M v' w -> v = v'.
Proof.
  intros HM P P'. destruct (without_edge U M v w HM P) as (N & _ & _ & _ & Nw & only & _).
  destruct (Nat.eq_dec v v') as [e|ne]; [exact e|exfalso].
  assert (Q : partner M w v') by (destruct P'; [right|left]; assumption).
  (* the edge of w is taken out *)
  destruct (only v' w P') as [e|[e|X]]; [congruence| |].
  - subst v'. destruct HM as (D & _ & A).
    (* an edge from w to itself would have two equal ends *)
    assert (L : In (w, w) M) by (destruct P'; assumption).
    destruct (in_split _ _ L) as (M1 & M2 & ->).
    apply (Permutation.Permutation_NoDup (ends_split M1 (w, w) M2)) in D.
    inversion_clear D as [|? ? Da _]. apply Da. now left.
  - apply Nw, covered_partner. exists v'. destruct X; [right|left]; assumption.
Qed.

(** Where each of some vertices has a partner in a list, that list is as long. *)
Lemma pigeonhole U M l near : matching U M -> NoDup l ->
  (forall x, In x l -> exists w, In w near /\ partner M x w) -> length l <= length near.
Proof.
  intros HM D all.
  enough (exists ws, length ws = length l /\ incl ws near /\ NoDup ws /\
    forall w, In w ws -> exists x, In x l /\ partner M x w) as (ws & <- & I & Dw & _)
    by now apply NoDup_incl_length.
  induction l as [|x l IH].
  { exists []. repeat split; [intros w []|constructor|intros w []]. }
  inversion_clear D as [|? ? Dx Dl]. destruct (IH Dl) as (ws & L & I & Dw & from).
  { intros y Y. apply all. now right. }
  destruct (all x (or_introl eq_refl)) as (w & W & P).
  exists (w :: ws). split; [simpl; congruence|]. split; [|split].
  - intros y [<-|Y]; auto.
  - constructor; [|exact Dw]. intros X. destruct (from w X) as (y & Y & P').
    apply Dx. now rewrite (partner_unique U M x y w HM P P').
  - intros v [<-|V]; [exists x; simpl; auto|]. destruct (from v V) as (y & Y & P').
    exists y. simpl. auto.
Qed.

(** [w] leaves its partner [v] for [u], which was missed. *)
Lemma switch U M v w u : matching U M -> partner M v w -> In u U -> ~ covers M u ->
  adjacent w u = true -> w <> u -> exists N,
  matching U N /\ length N = length M /\ ~ covers N v /\
  (forall a b, partner M a b -> a <> v -> a <> w -> partner N a b) /\
  (forall x, ~ covers M x -> x <> u -> ~ covers N x) /\ partner N w u.
Proof.
  intros HM P Iu Cu A ne.
  destruct (without_edge U M v w HM P) as (N & L & HN & Nv & Nw & only & sub).
  destruct (partner_adjacent U M v w HM P) as (_ & Iv & Iw).
  assert (Nu : ~ covers N u).
  { intros C. apply Cu, covered_partner. apply covered_partner in C as (x & X). eauto. }
  assert (uv : u <> v).
  { intros ->. apply Cu, covered_partner. eauto. }
  assert (vw : v <> w).
  { intros ->. destruct HM as (D & _ & _).
    assert (X : In (w, w) M) by (destruct P; assumption).
    destruct (in_split _ _ X) as (M1 & M2 & ->).
    apply (Permutation.Permutation_NoDup (ends_split M1 (w, w) M2)) in D.
    inversion_clear D as [|? ? Da _]. apply Da. now left. }
  exists ((w, u) :: N). split; [now apply add_edge|]. split; [simpl; lia|].
  split; [|split; [|split]].
  - unfold covers. simpl. intuition congruence.
  - intros a b Q av aw. destruct (only a b Q) as [e|[e|X]]; [congruence|congruence|].
    destruct X; [left|right]; now right.
  - intros x Cx xu. unfold covers. simpl. intros [e|[e|X]].
    + subst x. apply Cx, covered_partner. exists v. destruct P; [right|left]; assumption.
    + congruence.
    + apply Cx, covered_partner. apply covered_partner in X as (y & Y). eauto.
  - left. now left.
Qed.

End Switching.

(** * Three primes *)

(** A prime above a quarter of [n], up to a third. *)
Definition between (n p : nat) := prime p /\ n < 4 * p /\ 3 * p <= n.

Section Three.

Variable n : nat.
Variable U : list nat.
Hypothesis in_range : incl U (seq 1 n).
Hypothesis no_one : ~ In 1 U.

Notation matching := (matching related).
Notation maximum := (maximum related).

Lemma range v : In v U -> 2 <= v <= n.
Proof.
  intros V. pose proof (in_range v V) as I. apply in_seq in I.
  destruct (Nat.eq_dec v 1) as [->|]; [contradiction|lia].
Qed.

(** ** Who is joined to whom *)

Lemma near p m w : between n p -> prime m -> m = 2 \/ m = 3 -> In w U ->
  related (m * p) w = true -> w = m \/ w = p.
Proof.
  intros (P & lt & le) Q m23 W R. pose proof (range w W) as B.
  assert (2 <= p) by apply P. apply related_iff in R as [ne [D|D]]; try nia.
  - destruct D as [k ->]. destruct k as [|[|k]]; nia.
  - destruct (divides_two_primes m p w Q P D) as [->|[->|[->| ->]]]; auto; lia.
Qed.

Lemma near_prime p w : between n p -> In w U -> related p w = true -> w = 2 * p \/ w = 3 * p.
Proof.
  intros (P & lt & le) W R. pose proof (range w W) as B. assert (2 <= p) by apply P.
  apply related_iff in R as [ne [D|D]]; try lia.
  - destruct D as [k ->]. destruct k as [|[|[|[|k]]]]; [lia|lia|now left|now right|nia].
  - destruct (proj2 P w D); lia.
Qed.

Lemma as_long M N : maximum U M -> matching U N -> length N = length M -> maximum U N.
Proof. intros [_ best] HN L. split; [exact HN|]. intros K HK. apply best in HK. lia. Qed.

(** In a maximum matching one of two neighbours is covered. *)
Lemma no_free_edge M v w : maximum U M -> In v U -> In w U -> related v w = true ->
  ~ covers M v -> covers M w.
Proof.
  intros [HM best] V W R Cv. destruct (covers_dec M w) as [C|C]; [exact C|exfalso].
  assert (v <> w) by (intros ->; unfold related in R; rewrite Nat.eqb_refl in R; discriminate).
  assert (H' : matching U ((v, w) :: M)) by (apply add_edge; auto).
  apply best in H'. simpl in H'. lia.
Qed.

(** If one of 2q and 3q is missed, either can be. *)
Lemma either_missed q M a b : between n q -> In q U -> In a U -> In b U ->
  a = 2 * q /\ b = 3 * q \/ a = 3 * q /\ b = 2 * q ->
  maximum U M -> ~ covers M a -> exists N, maximum U N /\ ~ covers N b /\
  forall v w, partner M v w -> ~ In v [q; 2 * q; 3 * q] -> partner N v w.
Proof.
  intros Q Iq Ia Ib ab Mm Ca. assert (2 <= q) by apply Q.
  destruct (covers_dec M b) as [Cb|Cb]; [|exists M; auto].
  assert (joined : related q a = true).
  { destruct ab as [[-> _]|[-> _]]; rewrite Nat.mul_comm; apply related_multiple; lia. }
  assert (Cq : covers M q).
  { apply (no_free_edge M a q); auto. now rewrite related_symmetric. }
  apply covered_partner in Cq as (w & P). pose proof Mm as [HM _].
  destruct (partner_adjacent related related_symmetric U M q w HM P) as (R & _ & W).
  assert (w = b) as ->.
  { apply near_prime in R; auto.
    assert (w <> a) by (intros ->; apply Ca, covered_partner; exists q; destruct P; [right|left]; assumption).
    lia. }
  destruct (switch related related_symmetric U M b q a) as (N & HN & L & Nb & kept & _ & _); auto.
  { destruct P; [right|left]; assumption. }
  { lia. }
  exists N. split; [now apply (as_long M)|]. split; [exact Nb|].
  intros v x Pv none. apply kept; auto; intros ->; apply none; simpl; lia.
Qed.

(** Six numbers with five neighbours: one of them is missed. *)
Lemma one_is_missed M p q r : matching U M -> between n p -> between n q -> between n r ->
  NoDup [p; q; r] -> exists x, In x [2 * p; 3 * p; 2 * q; 3 * q; 2 * r; 3 * r] /\ ~ covers M x.
Proof.
  intros HM P Q R D.
  destruct (some_or_all (fun x => ~ covers M x) (fun x => covers M x)
    [2 * p; 3 * p; 2 * q; 3 * q; 2 * r; 3 * r]) as [H|all]; [|exact H|exfalso].
  { intros x _. destruct (covers_dec M x); auto. }
  destruct P as (P & ? & ?), Q as (Q & ? & ?), R as (R & ? & ?).
  inversion_clear D as [|? ? Dp D']. inversion_clear D' as [|? ? Dq _]. simpl in Dp, Dq.
  assert (six : NoDup [2 * p; 3 * p; 2 * q; 3 * q; 2 * r; 3 * r]).
  { clear all. repeat constructor; simpl; lia. }
  enough (6 <= 5) by lia.
  apply (pigeonhole related U M _ [2; 3; p; q; r] HM six).
  assert (to : forall m x, between n x -> prime m -> m = 2 \/ m = 3 -> In x [p; q; r] ->
    covers M (m * x) -> exists w, In w [2; 3; p; q; r] /\ partner M (m * x) w).
  { intros m x X Pm m23 I C. apply covered_partner in C as (w & W). exists w. split; [|exact W].
    destruct (partner_adjacent related related_symmetric U M (m * x) w HM W) as (rel & _ & Iw).
    destruct (near x m w X Pm m23 Iw rel) as [-> | ->]; [|right; right; exact I].
    destruct m23 as [-> | ->]; simpl; auto. }
  intros x X. specialize (all x X). unfold between in to.
  destruct X as [<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]]; apply to; simpl; auto using prime_2, prime_3.
Qed.

Lemma double_missed M p q r : maximum U M -> between n p -> between n q -> between n r ->
  NoDup [p; q; r] -> (forall x, In x [p; q; r] -> In x U /\ In (2 * x) U /\ In (3 * x) U) ->
  exists N, maximum U N /\ ~ covers N (2 * p).
Proof.
  intros Mm P Q R D all.
  destruct (all p) as (Ip & I2p & I3p); [simpl; auto|].
  assert (2 <= p) by apply P.
  (* if 3p is missed, so is 2p by another *)
  assert (third : forall M, maximum U M -> ~ covers M (3 * p) ->
    exists N, maximum U N /\ ~ covers N (2 * p)).
  { intros K Km C. destruct (either_missed p K (3 * p) (2 * p)) as (N & Nm & No & _); auto. eauto. }
  (* if 2x or 3x is missed, for another prime x *)
  assert (another : forall x a, between n x -> x <> p -> In x U -> In (2 * x) U -> In (3 * x) U ->
    a = 2 * x \/ a = 3 * x -> ~ covers M a -> exists N, maximum U N /\ ~ covers N (2 * p)).
  { intros x a X xp Ix I2 I3 ax Ca. assert (2 <= x) by apply X.
    pose proof X as (_ & ? & ?). pose proof P as (_ & ? & ?).
    assert (made : forall b, b = 2 * x \/ b = 3 * x -> exists N, maximum U N /\ ~ covers N b /\
      forall v w, partner M v w -> ~ In v [x; 2 * x; 3 * x] -> partner N v w).
    { intros b bx. destruct (Nat.eq_dec a b) as [->|ne]; [exists M; auto|].
      apply (either_missed x M a b); auto; try (destruct ax, bx; subst; auto; fail); lia. }
    destruct (covers_dec M (2 * p)) as [C2|C2]; [|eauto].
    apply covered_partner in C2 as (w & W). pose proof Mm as [HM _].
    destruct (partner_adjacent related related_symmetric U M _ _ HM W) as (rel & _ & Iw).
    destruct (near p 2 w P prime_2 (or_introl eq_refl) Iw rel) as [-> | ->].
    - (* 2p is matched to 2, which takes 2x *)
      destruct (made (2 * x)) as (N & Nm & Nx & kept); [auto|].
      apply kept in W; [|simpl; lia]. pose proof Nm as [HN _].
      destruct (switch related related_symmetric U N (2 * p) 2 (2 * x)) as (K & HK & L & No & _); auto.
      { apply related_multiple; lia. }
      { lia. }
      exists K. split; [now apply (as_long N)|exact No].
    - (* 2p is matched to p, and so 3p to 3, which takes 3x *)
      destruct (covers_dec M (3 * p)) as [C3|C3]; [|eauto].
      apply covered_partner in C3 as (w & V).
      destruct (partner_adjacent related related_symmetric U M _ _ HM V) as (rel' & _ & Iw').
      destruct (near p 3 w P prime_3 (or_intror eq_refl) Iw' rel') as [-> | ->].
      2:{ pose proof (partner_unique related U M _ _ _ HM V W). lia. }
      destruct (made (3 * x)) as (N & Nm & Nx & kept); [auto|].
      apply kept in V; [|simpl; lia]. pose proof Nm as [HN _].
      destruct (switch related related_symmetric U N (3 * p) 3 (3 * x)) as (K & HK & L & No & _); auto.
      { apply related_multiple; lia. }
      { lia. }
      apply (third K); [now apply (as_long N)|exact No]. }
  destruct (one_is_missed M p q r (proj1 Mm) P Q R D) as (x & X & C).
  inversion_clear D as [|? ? Dp D']. simpl in Dp, X.
  destruct (all q) as (Iq & I2q & I3q); [simpl; auto|].
  destruct (all r) as (Ir & I2r & I3r); [simpl; auto|].
  destruct X as [<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]].
  - eauto.
  - eauto.
  - apply (another q (2 * q)); auto.
  - apply (another q (3 * q)); auto.
  - apply (another r (2 * r)); auto.
  - apply (another r (3 * r)); auto.
Qed.

End Three.

(** * The theorem *)

Theorem double_prime_wins n p q r start_open opening_even :
  between n p -> between n q -> between n r -> NoDup [p; q; r] ->
  (start_open = true -> exists s, prime s /\ n < 2 * s /\ s <= n) ->
  let start := begin 1 start_open opening_even in
  In (2 * p) (steps related (seq 1 n) start) /\
  exists k, wins_within (multiplicity n) first k (step start (2 * p)).
Proof.
  intros P Q R D above start.
  assert (range' : forall x, In x [p; q; r] -> 2 <= x /\ 3 * x <= n /\ n < 4 * x /\ prime x).
  { intros x [<-|[<-|[<-|[]]]]; [destruct P as (X & ? & ?)|destruct Q as (X & ? & ?)|
      destruct R as (X & ? & ?)]; (split; [apply X|auto]). }
  destruct (range' p) as (P2 & P3 & P4 & _); [simpl; auto|].
  set (U := unused (seq 1 n) start).
  assert (in_U : forall x, In x U <-> 1 <= x <= n /\ (x = 1 -> start_open = true)).
  { intros x. unfold U. rewrite in_unused, in_seq. unfold start. simpl.
    destruct start_open; simpl; intuition (try lia; try congruence). }
  assert (I2p : In (2 * p) U) by (apply in_U; lia).
  split.
  { apply in_steps. split; [exact I2p|]. split.
    - simpl. rewrite <- (Nat.mul_1_l (p + _)). apply one_related. lia.
    - simpl only. destruct opening_even; [|reflexivity]. apply Nat.even_spec. exists p. lia. }
  enough (exists N, maximum related U N /\ ~ covers N (2 * p)) as (N & Nm & C).
  { apply (missed_step_wins related related_symmetric (seq 1 n) (seq_NoDup n 1) start (2 * p) N);
      assumption. }
  assert (inside : forall W, incl W (seq 1 n) -> ~ In 1 W ->
    (forall x, In x [p; q; r] -> In x W /\ In (2 * x) W /\ In (3 * x) W) ->
    exists N, maximum related W N /\ ~ covers N (2 * p)).
  { intros W inc no all.
    destruct (maximum_exists related related_symmetric _ W (le_n _)) as [M Mm].
    exact (double_missed n W inc no M p q r Mm P Q R D all). }
  destruct start_open eqn:open.
  - (* 1 goes with a prime above half of n *)
    destruct (above eq_refl) as (s & S & lt & le). assert (S2 : 2 <= s) by apply S.
    set (W := filter (fun v => negb (has v [1; s])) (seq 1 n)).
    assert (in_W : forall v, In v W <-> 1 <= v <= n /\ v <> 1 /\ v <> s).
    { intros v. unfold W. rewrite filter_In, in_seq, negb_true_iff.
      destruct (has_spec v [1; s]) as [H|H]; simpl in H; intuition (try lia; try congruence). }
    assert (composite : forall m x, 2 <= m -> 2 <= x -> m * x <> s).
    { intros m x M X e. destruct (proj2 S m) as [H|H]; [exists x; lia|lia|nia]. }
    destruct (inside W) as (N & [HN best] & C).
    + intros v V. apply in_W in V. apply in_seq. lia.
    + intros V. apply in_W in V. lia.
    + intros x X. destruct (range' x X) as (X2 & X3 & X4 & _).
      pose proof (composite 2 x ltac:(lia) X2). pose proof (composite 3 x ltac:(lia) X2).
      rewrite !in_W. lia.
    + assert (no : ~ covers N 1 /\ ~ covers N s).
      { destruct HN as (_ & I & _). split; intros X; apply I, in_W in X; lia. }
      assert (lift : forall K, matching related U K -> ~ covers K 1 -> ~ covers K s ->
        length K <= length N).
      { intros K HK K1 Ks. apply best. eapply matching_where; [exact HK|].
        intros v V X. apply in_U in X. apply in_W. split; [lia|]. split; intros ->; contradiction. }
      exists ((1, s) :: N). split; [split|].
      * apply add_edge; try tauto; [|apply one_related; lia|lia|apply in_U; lia|apply in_U; lia].
        eapply matching_where; [exact HN|]. intros v _ V. apply in_W in V. apply in_U. lia.
      * intros K HK. simpl. destruct (covers_dec K 1) as [K1|K1].
        -- apply covered_partner in K1 as (w & Pw).
           destruct (without_edge related U K 1 w HK Pw) as (L & len & HL & L1 & Lw & only & _).
           enough (length L <= length N) by lia. apply lift; auto.
           intros Ls. (* s would be matched to 1 *)
           apply covered_partner in Ls as (v & Pv).
           destruct (partner_adjacent related related_symmetric U L s v HL Pv) as (rel & _ & Iv).
           apply in_U in Iv. apply related_iff in rel as [ne [[k ->]|Dv]]; try lia.
           ++ destruct k as [|[|k]]; nia.
           ++ destruct (proj2 S v Dv) as [->|]; [|lia].
              apply L1, covered_partner. exists s. destruct Pv; [right|left]; assumption.
        -- enough (length K <= length N) by lia. apply lift; auto.
           intros Ks. apply covered_partner in Ks as (v & Pv).
           destruct (partner_adjacent related related_symmetric U K s v HK Pv) as (rel & _ & Iv).
           apply in_U in Iv. apply related_iff in rel as [ne [[k ->]|Dv]]; try lia.
           ++ destruct k as [|[|k]]; nia.
           ++ destruct (proj2 S v Dv) as [->|]; [|lia].
              apply K1, covered_partner. exists s. destruct Pv; [right|left]; assumption.
      * unfold covers. simpl. pose proof (composite 2 p ltac:(lia) P2). simpl in *.
        unfold covers in C. simpl in C. intuition lia.
  - apply inside.
    + intros v V. apply in_U in V. apply in_seq. lia.
    + intros V. apply in_U in V. destruct V as [_ V]. discriminate (V eq_refl).
    + intros x X. destruct (range' x X) as (X2 & X3 & X4 & _). rewrite !in_U. lia.
Qed.

(** * By computation *)

Open Scope N_scope.

Fixpoint tries (fuel : nat) (d n : N) : bool :=
  match fuel with
  | O => true
  | S fuel => negb (n mod d =? 0) && tries fuel (N.succ d) n
  end.

(** Trial division up to the square root. *)
Definition is_prime (n : N) : bool := (2 <=? n) && tries (N.to_nat (N.sqrt n) - 1) 2 n.

Lemma tries_none fuel : forall d n m, tries fuel d n = true -> d <= m -> m < d + N.of_nat fuel ->
  n mod m <> 0.
Proof.
  induction fuel as [|fuel IH]; intros d n m H L B; [lia|].
  simpl in H. apply andb_true_iff in H as [H T].
  destruct (N.eq_dec d m) as [<-|ne]; [|apply (IH (N.succ d)); auto; lia].
  apply negb_true_iff, N.eqb_neq in H. exact H.
Qed.

Lemma is_prime_right n : is_prime n = true -> prime (N.to_nat n).
Proof.
  unfold is_prime. rewrite andb_true_iff, N.leb_le. intros [L T]. split; [lia|].
  assert (none : forall m, 2 <= m -> m * m <= n -> n mod m <> 0).
  { intros m M le. apply (tries_none _ _ _ _ T M).
    pose proof (N.sqrt_le_mono _ _ le) as S. rewrite N.sqrt_square in S. lia. }
  intros d [e E].
  assert (E' : n = N.of_nat e * N.of_nat d) by lia.
  destruct (Nat.eq_dec d 1) as [->|d1]; [now left|right].
  destruct (Nat.eq_dec e 1) as [->|e1]; [lia|exfalso].
  assert (D2 : 2 <= N.of_nat d) by (destruct d as [|[|d]]; lia).
  assert (E2 : 2 <= N.of_nat e) by (destruct e as [|[|e]]; lia).
  destruct (N.le_ge_cases (N.of_nat d) (N.of_nat e)) as [le|le].
  - apply (none (N.of_nat d) D2); [nia|]. rewrite E'. apply N.mod_mul. lia.
  - apply (none (N.of_nat e) E2); [nia|]. rewrite E', N.mul_comm. apply N.mod_mul. lia.
Qed.

(** Primes p < q < r serve all sizes from 3r to 4p - 1. *)
Fixpoint threes_reach (low : N) (l : list (N * N * N)) : N :=
  match l with
  | [] => low
  | (p, q, r) :: l =>
      if (3 * r <=? low) && (p <? q) && (q <? r) && is_prime p && is_prime q && is_prime r
      then threes_reach (4 * p) l else low
  end.

Lemma threes_right l : forall low n, low <= N.of_nat n -> N.of_nat n < threes_reach low l ->
  exists p q r, between n p /\ between n q /\ between n r /\ NoDup [p; q; r]%nat.
Proof.
  induction l as [|[[p q] r] l IH]; intros low n L B; [cbn in B; lia|].
  cbn [threes_reach] in B.
  destruct ((3 * r <=? low) && (p <? q) && (q <? r) && is_prime p && is_prime q && is_prime r) eqn:H;
    [|lia].
  rewrite !andb_true_iff, N.leb_le, !N.ltb_lt in H. destruct H as [[[[[le pq] qr] P] Q] R].
  destruct (N.lt_ge_cases (N.of_nat n) (4 * p)) as [lt|ge]; [|eapply IH; eauto].
  exists (N.to_nat p), (N.to_nat q), (N.to_nat r). unfold between.
  repeat split; try (apply is_prime_right; assumption); try lia.
  repeat constructor; simpl; lia.
Qed.

(** A prime s serves all sizes from s to 2s - 1. *)
Fixpoint ones_reach (low : N) (l : list N) : N :=
  match l with
  | [] => low
  | s :: l => if (s <=? low) && is_prime s then ones_reach (2 * s) l else low
  end.

Lemma ones_right l : forall low n, low <= N.of_nat n -> N.of_nat n < ones_reach low l ->
  exists s, prime s /\ (n < 2 * s /\ s <= n)%nat.
Proof.
  induction l as [|s l IH]; intros low n L B; [cbn in B; lia|].
  cbn [ones_reach] in B. destruct ((s <=? low) && is_prime s) eqn:H; [|lia].
  rewrite andb_true_iff, N.leb_le in H. destruct H as [le S].
  destruct (N.lt_ge_cases (N.of_nat n) (2 * s)) as [lt|ge]; [|eapply IH; eauto].
  exists (N.to_nat s). split; [now apply is_prime_right|lia].
Qed.

Definition threes : list (N * N * N) :=
  [(47, 53, 59); (53, 59, 61); (59, 61, 67); (67, 71, 73); (79, 83, 89); (97, 101, 103);
   (109, 113, 127); (131, 137, 139); (163, 167, 173); (197, 199, 211); (241, 251, 257);
   (311, 313, 317); (397, 401, 409); (509, 521, 523); (661, 673, 677); (863, 877, 881);
   (1117, 1123, 1129); (1483, 1487, 1489); (1949, 1951, 1973); (2579, 2591, 2593);
   (3407, 3413, 3433); (4517, 4519, 4523); (5987, 6007, 6011); (7949, 7951, 7963);
   (10567, 10589, 10597); (14081, 14083, 14087); (18749, 18757, 18773); (24977, 24979, 24989);
   (33287, 33289, 33301); (44357, 44371, 44381); (59119, 59123, 59141); (78803, 78809, 78823);
   (105023, 105031, 105037); (139991, 139999, 140009); (186647, 186649, 186653);
   (248839, 248851, 248861); (331769, 331777, 331781); (442319, 442327, 442333);
   (589717, 589751, 589753); (786241, 786251, 786271); (1048273, 1048291, 1048309);
   (1397633, 1397657, 1397681); (1863493, 1863497, 1863509); (2484623, 2484631, 2484653);
   (3312811, 3312817, 3312823)].

Definition ones : list N :=
  [2; 3; 5; 7; 13; 23; 43; 83; 163; 317; 631; 1259; 2503; 5003; 9973; 19937; 39869; 79699;
   159389; 318751; 637499; 1274989; 2549951; 5099893].

Definition checked_to : N := 10000000.

Theorem three_primes n : 177 <= N.of_nat n <= checked_to ->
  exists p q r, between n p /\ between n q /\ between n r /\ NoDup [p; q; r]%nat.
Proof.
  intros [L H]. apply (threes_right threes 177); [exact L|].
  apply (N.le_lt_trans _ _ _ H). vm_cast_no_check (eq_refl Lt).
Qed.

Theorem prime_above n : 2 <= N.of_nat n <= checked_to ->
  exists s, prime s /\ (n < 2 * s /\ s <= n)%nat.
Proof.
  intros [L H]. apply (ones_right ones 2); [exact L|].
  apply (N.le_lt_trans _ _ _ H). vm_cast_no_check (eq_refl Lt).
Qed.

Close Scope N_scope.

(** Any prime between the two bounds, beside any three. *)
Lemma among_three n p a b c start_open opening_even :
  between n p -> between n a -> between n b -> between n c -> NoDup [a; b; c] ->
  (start_open = true -> exists s, prime s /\ n < 2 * s /\ s <= n) ->
  let start := begin 1 start_open opening_even in
  In (2 * p) (steps related (seq 1 n) start) /\
  exists k, wins_within (multiplicity n) first k (step start (2 * p)).
Proof.
  intros P A B C D above.
  inversion_clear D as [|? ? Da D']. inversion_clear D' as [|? ? Db _]. simpl in Da, Db.
  destruct (Nat.eq_dec p a) as [->|pa]; [|destruct (Nat.eq_dec p b) as [->|pb]].
  - apply (double_prime_wins n a b c); auto. repeat constructor; simpl; lia.
  - apply (double_prime_wins n b a c); auto. repeat constructor; simpl; lia.
  - apply (double_prime_wins n p a b); auto. repeat constructor; simpl; lia.
Qed.

Theorem always_wins n p start_open opening_even :
  (177 <= N.of_nat n <= checked_to)%N -> between n p ->
  let start := begin 1 start_open opening_even in
  In (2 * p) (steps related (seq 1 n) start) /\
  exists k, wins_within (multiplicity n) first k (step start (2 * p)).
Proof.
  intros H P. destruct (three_primes n H) as (a & b & c & A & B & C & D).
  apply (among_three n p a b c); auto. intros _. apply prime_above. lia.
Qed.

(** ** Beyond, where primes are known to be dense *)

Theorem always_wins_beyond n p start_open opening_even :
  (forall x, (checked_to / 4 <= N.of_nat x)%N -> exists s, prime s /\ x < s /\ 10 * s <= 11 * x) ->
  177 <= n -> between n p ->
  let start := begin 1 start_open opening_even in
  In (2 * p) (steps related (seq 1 n) start) /\
  exists k, wins_within (multiplicity n) first k (step start (2 * p)).
Proof.
  intros dense L P. destruct (N.le_gt_cases (N.of_nat n) checked_to) as [le|gt].
  { apply always_wins; [lia|exact P]. }
  pose proof (Nat.div_mod_eq n 4) as d4. pose proof (Nat.mod_upper_bound n 4 ltac:(lia)) as m4.
  pose proof (Nat.div_mod_eq n 2) as d2. pose proof (Nat.mod_upper_bound n 2 ltac:(lia)) as m2.
  unfold checked_to in *. change (10000000 / 4)%N with 2500000%N in dense.
  destruct (dense (n / 4)) as (a & A & A1 & A2); [lia|].
  destruct (dense a) as (b & B & B1 & B2); [lia|].
  destruct (dense b) as (c & C & C1 & C2); [lia|].
  destruct (dense (n / 2)) as (s & S & S1 & S2); [lia|].
  apply (among_three n p a b c); auto; try (split; [assumption|lia]).
  - repeat constructor; simpl; lia.
  - intros _. exists s. split; [exact S|lia].
Qed.
