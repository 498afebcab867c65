(** Certificates in the form of docs/certificates.md, checked by programs that answer yes or no.

    What is modelled. The positions and proofs of a certificate, with binary numbers, so that Rocq can
    compute with them: [walk] is a position of Multiplicity, [line_at] one of Divisor Line, [numbered]
    one of a tally game.

    What is proved. A yes is right: [over_checked] for any game, [strategy_checked] and
    [strategies_checked] for any game with numbered moves, [matching_checked] and [primes_checked] for Multiplicity, [pair_checked] for Divisor
    Line, [numbers_checked], [divisor_checked] and [race_checked] for the tally games.

    `numduel solve ... --certificate FILE --coq` writes a theorem that is proved by one of these. *)

From Coq Require Import List Arith NArith Lia Bool FMapPositive.
From Numduel Require Import Divisors Finding Game Geography PrimeOpenings.
From Numduel Require Tally Races DivisorDuel Line Chain.
Import ListNotations.

(** * What is said of a position *)

Inductive said :=
| wins_in_ (distance : N)
| loses_in_ (distance : N)
| is_endless
| wins_somehow
| loses_somehow.

Definition means (G : game) (p : position G) (v : said) : Prop :=
  match v with
  | wins_in_ d => value G p (Win (N.to_nat d))
  | loses_in_ d => value G p (Loss (N.to_nat d))
  | is_endless => value G p Endless
  | wins_somehow => exists n, wins_within G (mover G p) n p
  | loses_somehow => exists n, wins_within G (other (mover G p)) n p
  end.

Definition same_said (v w : said) : bool :=
  match v, w with
  | wins_in_ d, wins_in_ e | loses_in_ d, loses_in_ e => N.eqb d e
  | is_endless, is_endless | wins_somehow, wins_somehow | loses_somehow, loses_somehow => true
  | _, _ => false
  end.

Lemma same_said_right v w : same_said v w = true -> v = w.
Proof.
  destruct v, w; simpl; intros H; try discriminate; try reflexivity;
    apply N.eqb_eq in H; now subst.
Qed.

(** * Sets of numbers *)

Module M := PositiveMap.

Definition key (n : N) : positive := N.succ_pos n.

Lemma key_injective n m : key n = key m -> n = m.
Proof. unfold key. intros H. apply N.succ_inj. now rewrite <- !N.succ_pos_spec, H. Qed.

Definition set := M.t unit.

Definition in_set (s : set) (n : N) : bool := M.mem (key n) s.

Definition with_all (l : list N) (s : set) : set := fold_left (fun s n => M.add (key n) tt s) l s.

Lemma in_add s n m : in_set (M.add (key n) tt s) m = N.eqb n m || in_set s m.
Proof.
  unfold in_set. rewrite !M.mem_find. destruct (N.eqb_spec n m) as [->|ne].
  - now rewrite M.gss.
  - rewrite M.gso; [reflexivity|]. intros e. apply ne. symmetry. now apply key_injective.
Qed.

Lemma in_with_all l : forall s n, in_set (with_all l s) n = true <-> In n l \/ in_set s n = true.
Proof.
  induction l as [|x l IH]; intros s n; simpl; [tauto|].
  rewrite IH, in_add, orb_true_iff, N.eqb_eq. tauto.
Qed.

Definition set_of (l : list N) : set := with_all l (M.empty unit).

Lemma in_set_of l n : in_set (set_of l) n = true <-> In n l.
Proof.
  unfold set_of. rewrite in_with_all. unfold in_set. rewrite M.mem_find, M.gempty.
  intuition discriminate.
Qed.

(** Whether all are different, and none in the set. *)
Fixpoint fresh (s : set) (l : list N) : bool :=
  match l with
  | [] => true
  | n :: l => negb (in_set s n) && fresh (M.add (key n) tt s) l
  end.

Lemma fresh_right l : forall s, fresh s l = true ->
  NoDup l /\ forall n, In n l -> in_set s n = false.
Proof.
  induction l as [|x l IH]; intros s H; simpl in H; [split; [constructor|intros n []]|].
  apply andb_true_iff in H as [X H]. apply negb_true_iff in X. destruct (IH _ H) as [D no].
  split.
  - constructor; [|exact D]. intros I. apply no in I. rewrite in_add, N.eqb_refl in I. discriminate.
  - intros n [<-|I]; [exact X|]. apply no in I. rewrite in_add in I.
    now apply orb_false_iff in I.
Qed.

Definition nats : list N -> list nat := map N.to_nat.

Lemma in_nats l n : In (N.to_nat n) (nats l) <-> In n l.
Proof.
  unfold nats. rewrite in_map_iff. split; [|eauto].
  intros (m & E & I). apply N2Nat.inj in E. now subst.
Qed.

Lemma nats_in l v : In v (nats l) -> exists n, v = N.to_nat n /\ In n l.
Proof. unfold nats. rewrite in_map_iff. intros (n & <- & I). eauto. Qed.

Lemma nats_NoDup l : NoDup l -> NoDup (nats l).
Proof. apply FinFun.Injective_map_NoDup. intros n m. apply N2Nat.inj. Qed.

(** * Multiplicity: a matching *)

Definition walk (number : N) (taken : list N) (even : bool) (to_move : seat) : place := {|
  at_ := N.to_nat number;
  chosen := nats taken;
  only w := if even then Nat.even w else true;
  turn := to_move
|}.

Fixpoint count_up (fuel : nat) (n : N) : list N :=
  match fuel with O => [] | S fuel => n :: count_up fuel (N.succ n) end.

Lemma in_count_up fuel : forall n m, In m (count_up fuel n) <-> (n <= m < n + N.of_nat fuel)%N.
Proof.
  induction fuel as [|fuel IH]; intros n m; simpl; [lia|]. rewrite IH. lia.
Qed.

Definition from_to (low high : N) : list N := count_up (N.to_nat (high + 1 - low)) low.

Lemma in_from_to low high m : In m (from_to low high) <-> (low <= m <= high)%N.
Proof. unfold from_to. rewrite in_count_up. lia. Qed.

Definition joined (a b : N) : bool :=
  negb (a =? b)%N && ((a mod b =? 0) || (b mod a =? 0))%N.

Lemma to_nat_mod a b : b <> 0%N -> N.to_nat (a mod b) = N.to_nat a mod N.to_nat b.
Proof.
  intros B. apply (Nat.mod_unique _ _ (N.to_nat (a / b))).
  - pose proof (N.mod_lt a b B). lia.
  - rewrite <- N2Nat.inj_mul, <- N2Nat.inj_add. f_equal. now apply N.div_mod.
Qed.

Lemma joined_related a b : a <> 0%N -> b <> 0%N ->
  related (N.to_nat a) (N.to_nat b) = joined a b.
Proof.
  intros A B. unfold related, joined. rewrite <- !to_nat_mod by assumption.
  assert (zero : forall n m, (N.to_nat n =? N.to_nat m) = (n =? m)%N).
  { intros n m. destruct (N.eqb_spec n m) as [->|ne]; [apply Nat.eqb_refl|].
    apply Nat.eqb_neq. lia. }
  now rewrite !(zero _ 0%N), zero.
Qed.

Lemma to_nat_even n : N.even n = Nat.even (N.to_nat n).
Proof.
  destruct (N.Even_or_Odd n) as [E|O].
  - rewrite (proj2 (N.even_spec n) E). symmetry. apply Nat.even_spec.
    destruct E as [k ->]. exists (N.to_nat k). lia.
  - rewrite <- N.negb_odd, (proj2 (N.odd_spec n) O), <- Nat.negb_odd.
    symmetry. apply f_equal, Nat.odd_spec. destruct O as [k ->]. exists (N.to_nat k). lia.
Qed.

Section Matching.

Variables (size number : N) (taken : list N) (even : bool) (to_move : seat).

Notation p := (walk number taken even to_move).
Notation board := (seq 1 (N.to_nat size)).

Definition gone : set := set_of taken.

Definition is_unused (v : N) : bool := (1 <=? v)%N && (v <=? size)%N && negb (in_set gone v).

Lemma unused_iff v : is_unused v = true <-> In (N.to_nat v) (unused board p).
Proof.
  rewrite in_unused, in_seq. unfold is_unused. rewrite !andb_true_iff, !N.leb_le, negb_true_iff.
  simpl chosen. rewrite in_nats, <- in_set_of. fold gone.
  destruct (in_set gone v); intuition (try lia; try congruence).
Qed.

Lemma unused_number v : In v (unused board p) -> exists n, v = N.to_nat n /\ is_unused n = true.
Proof.
  intros I. exists (N.of_nat v). rewrite Nat2N.id. split; [reflexivity|].
  apply unused_iff. now rewrite Nat2N.id.
Qed.

Lemma unused_positive v : is_unused v = true -> (1 <= v <= size)%N.
Proof. unfold is_unused. rewrite !andb_true_iff, !N.leb_le. lia. Qed.

Definition is_legal (v : N) : bool :=
  is_unused v && joined number v && (negb even || N.even v).

Lemma legal_iff v : number <> 0%N -> is_legal v = true <-> In (N.to_nat v) (steps related board p).
Proof.
  intros B. rewrite in_steps. unfold is_legal. rewrite !andb_true_iff, <- unused_iff.
  destruct (is_unused v) eqn:U; [|intuition discriminate].
  apply unused_positive in U. rewrite <- joined_related by lia. simpl at_.
  cut (negb even || N.even v = only p (N.to_nat v)); [intros ->; tauto|].
  simpl only. destruct even; [apply to_nat_even|reflexivity].
Qed.

(** All that is joined to a number, and perhaps more. *)
Definition around (v : N) : list N :=
  map (N.mul v) (from_to 2 (size / v)) ++
  flat_map (fun d => [d; v / d]%N) (from_to 1 (N.sqrt v)).

Lemma around_all v w : (1 <= v)%N -> (1 <= w <= size)%N -> joined v w = true -> In w (around v).
Proof.
  intros V W J. unfold around. rewrite in_app_iff, in_map_iff, in_flat_map.
  unfold joined in J. rewrite andb_true_iff, negb_true_iff, N.eqb_neq, orb_true_iff in J.
  rewrite !N.eqb_eq in J. destruct J as [ne [J|J]].
  - right. apply N.mod_divide in J; [|lia]. destruct J as [k K].
    assert (K1 : (1 <= k)%N) by (destruct (N.eq_dec k 0) as [->|]; lia).
    destruct (N.le_gt_cases w (N.sqrt v)) as [le|gt].
    + exists w. split; [apply in_from_to; lia|now left].
    + exists k. split.
      * apply in_from_to. split; [exact K1|]. apply N.sqrt_le_square.
        destruct (N.le_gt_cases (k * k) v) as [le|big]; [exact le|exfalso].
        apply N.lt_nge in gt. apply gt, N.sqrt_le_square. nia.
      * right; left. rewrite K, N.mul_comm. apply N.div_mul. lia.
  - left. apply N.mod_divide in J; [|lia]. destruct J as [k K]. exists k.
    split; [rewrite K; apply N.mul_comm|].
    apply in_from_to. split; [destruct (N.eq_dec k 0), (N.eq_dec k 1); subst; lia|].
    apply N.div_le_lower_bound; lia.
Qed.

Definition odd_long (C : list N) : bool := Nat.odd (length C).

Definition is_cut (apart : list N) (parts : list (list N)) : bool :=
  let outside := set_of apart in
  fresh (M.empty unit) (apart ++ concat parts) && forallb is_unused (apart ++ concat parts) &&
  forallb odd_long parts &&
  forallb (fun C => let inside := with_all C outside in
    forallb (fun v => forallb (fun w =>
      negb (is_unused w) || negb (joined v w) || in_set inside w) (around v)) C) parts.

Lemma cut_right apart parts : is_cut apart parts = true ->
  cut related (unused board p) (nats apart) (map nats parts).
Proof.
  unfold is_cut. rewrite !andb_true_iff, !forallb_forall. intros [[[F U] O] E].
  assert (all : nats apart ++ concat (map nats parts) = nats (apart ++ concat parts)).
  { unfold nats. now rewrite map_app, concat_map. }
  split; [|split; [|split]].
  - rewrite all. apply nats_NoDup. now apply fresh_right in F.
  - rewrite all. intros v V. apply nats_in in V as (n & -> & I). apply unused_iff. auto.
  - intros C I. apply in_map_iff in I as (D & <- & I). unfold Geography.odd, nats.
    rewrite map_length. now apply O.
  - intros C v w I V W A. apply in_map_iff in I as (D & <- & I).
    apply nats_in in V as (n & -> & V). apply unused_number in W as (m & -> & W).
    pose proof (unused_positive m W) as Pm.
    assert (Un : is_unused n = true).
    { apply U, in_app_iff. right. apply in_concat. eauto. }
    apply unused_positive in Un. rewrite joined_related in A by lia.
    specialize (E D I). rewrite forallb_forall in E. specialize (E n V).
    rewrite forallb_forall in E. specialize (E m (around_all n m ltac:(lia) ltac:(lia) A)).
    rewrite W, A in E. simpl in E. apply in_with_all in E as [E|E].
    + right. now apply in_nats.
    + left. apply in_nats. now apply in_set_of in E.
Qed.

Definition two (e : N * N) : list N := [fst e; snd e].

Definition is_pairing (pairs : list (N * N)) : bool :=
  fresh (M.empty unit) (flat_map two pairs) &&
  forallb (fun e => is_unused (fst e) && is_unused (snd e) && joined (fst e) (snd e)) pairs.

Definition nat_pairs : list (N * N) -> list (nat * nat) :=
  map (fun e => (N.to_nat (fst e), N.to_nat (snd e))).

Lemma ends_nat_pairs pairs : ends (nat_pairs pairs) = nats (flat_map two pairs).
Proof. induction pairs as [|[a b] l IH]; simpl; [reflexivity|]. now rewrite IH. Qed.

Lemma pairing_right pairs : is_pairing pairs = true ->
  matching related (unused board p) (nat_pairs pairs).
Proof.
  unfold is_pairing. rewrite andb_true_iff, forallb_forall. intros [F E].
  split; [|split].
  - rewrite ends_nat_pairs. apply nats_NoDup. now apply fresh_right in F.
  - intros v V. rewrite ends_nat_pairs in V. apply nats_in in V as (n & -> & V).
    apply in_flat_map in V as (e & I & V). specialize (E e I).
    rewrite !andb_true_iff in E. destruct E as [[A B] _]. apply unused_iff.
    destruct V as [<-|[<-|[]]]; assumption.
  - intros v w I. apply in_map_iff in I as ([a b] & E' & I). injection E' as <- <-.
    specialize (E _ I). simpl in E. rewrite !andb_true_iff in E. destruct E as [[A B] J].
    apply unused_positive in A, B. rewrite joined_related by lia. exact J.
Qed.

Definition all_inside : bool :=
  (1 <=? number)%N && fresh (M.empty unit) taken &&
  forallb (fun v => (1 <=? v)%N && (v <=? size)%N) taken.

Lemma unused_count : all_inside = true -> length (unused board p) + length taken = N.to_nat size.
Proof.
  unfold all_inside. rewrite !andb_true_iff, forallb_forall. intros [[_ F] R].
  apply fresh_right in F as [D _].
  pose proof (split_length (fun w => has w (nats taken)) board) as E.
  rewrite seq_length, filter_has_length in E; [|now apply nats_NoDup|apply seq_NoDup|].
  - change (filter (fun w => negb (has w (nats taken))) board) with (unused board p) in E.
    assert (length (nats taken) = length taken) by apply map_length. lia.
  - intros v V. apply nats_in in V as (n & -> & V). specialize (R n V).
    rewrite andb_true_iff, !N.leb_le in R. apply in_seq. lia.
Qed.

(** The partner of the walker, if it has one, apart from the other pairs. *)
Definition matching_proves (walker : option N) (pairs : list (N * N)) (apart : list N)
    (parts : list (list N)) : bool :=
  let room := (size + N.of_nat (length apart))%N in
  let k := (2 * N.of_nat (length pairs) + N.of_nat (length parts) + N.of_nat (length taken))%N in
  all_inside && is_pairing pairs && is_cut apart parts &&
  match walker with
  | Some w => is_legal w && negb (in_set (set_of (flat_map two pairs)) w) && (room <? k + 2)%N
  | None =>
      let inside := set_of (concat parts) in
      forallb (fun w => negb (is_legal w) || negb (in_set inside w)) (from_to 1 size) &&
      (room <=? k)%N
  end.

Theorem matching_checked walker pairs apart parts :
  matching_proves walker pairs apart parts = true ->
  means (multiplicity (N.to_nat size)) p
    (match walker with Some _ => wins_somehow | None => loses_somehow end).
Proof.
  unfold matching_proves. rewrite !andb_true_iff. intros [[[I HP] HC] H].
  pose proof (unused_count I) as count. pose proof (pairing_right pairs HP) as HM.
  pose proof (cut_right apart parts HC) as K.
  unfold all_inside in I. rewrite !andb_true_iff, N.leb_le in I. destruct I as [[I _] _].
  assert (lengths : length (nat_pairs pairs) = length pairs /\
    length (nats apart) = length apart /\ length (map nats parts) = length parts)
    by (unfold nat_pairs, nats; rewrite !map_length; auto).
  destruct walker as [w|]; rewrite !andb_true_iff in H.
  - destruct H as [[L C] lt]. apply N.ltb_lt in lt.
    apply (walker_win related related_symmetric board (seq_NoDup _ 1) p (nat_pairs pairs)
      (N.to_nat w) (nats apart) (map nats parts)); auto.
    + apply legal_iff; [lia|exact L].
    + unfold covers. rewrite ends_nat_pairs, in_nats, <- in_set_of.
      apply negb_true_iff in C. congruence.
    + lia.
  - destruct H as [none le]. apply N.leb_le in le. rewrite forallb_forall in none.
    apply (walker_loss related related_symmetric board (seq_NoDup _ 1) p (nat_pairs pairs)
      (nats apart) (map nats parts)); auto; [|lia].
    intros v C S PC V. apply in_map_iff in PC as (D & <- & PC). apply nats_in in V as (n & -> & V).
    apply legal_iff in S; [|lia].
    assert (R : In n (from_to 1 size)).
    { apply in_from_to. unfold is_legal in S. rewrite !andb_true_iff in S.
      now apply unused_positive. }
    specialize (none n R). rewrite S in none. simpl in none. apply negb_true_iff in none.
    assert (in_set (set_of (concat parts)) n = true); [|congruence].
    apply in_set_of, in_concat. eauto.
Qed.

End Matching.

(** ** Three primes *)

Definition is_between (size p : N) : bool := is_prime p && (size <? 4 * p)%N && (3 * p <=? size)%N.

Definition primes_prove (size : N) (start_open : bool) (p q r : N) (above : option N) : bool :=
  is_between size p && is_between size q && is_between size r &&
  negb (p =? q)%N && negb (p =? r)%N && negb (q =? r)%N &&
  match above, start_open with
  | Some s, true => is_prime s && (size <? 2 * s)%N && (s <=? size)%N
  | None, false => true
  | _, _ => false
  end.

Lemma between_right size p : is_between size p = true -> between (N.to_nat size) (N.to_nat p).
Proof.
  unfold is_between. rewrite !andb_true_iff, N.ltb_lt, N.leb_le. intros [[P lt] le].
  split; [now apply is_prime_right|lia].
Qed.

Theorem primes_checked size start_open even to_move p q r above :
  primes_prove size start_open p q r above = true ->
  means (multiplicity (N.to_nat size)) (walk 1 (if start_open then [] else [1%N]) even to_move)
    wins_somehow.
Proof.
  unfold primes_prove. rewrite !andb_true_iff, !negb_true_iff, !N.eqb_neq.
  intros [[[[[[P Q] R] pq] pr] qr] A].
  destruct (double_prime_wins (N.to_nat size) (N.to_nat p) (N.to_nat q) (N.to_nat r) start_open even)
    as [S [k W]]; auto using between_right.
  { repeat constructor; simpl; lia. }
  { intros ->. destruct above as [s|]; [|discriminate]. rewrite !andb_true_iff, N.ltb_lt, N.leb_le in A.
    destruct A as [[A lt] le]. exists (N.to_nat s). split; [now apply is_prime_right|lia]. }
  set (start := begin 1 start_open even) in *.
  set (here := walk 1 (if start_open then [] else [1%N]) even to_move).
  apply (first_step related related_symmetric (seq 1 (N.to_nat size)) (seq_NoDup _ 1) here).
  assert (won : wins related (seq 1 (N.to_nat size)) (turn start) start).
  { apply (wins_by_step related (seq 1 (N.to_nat size)) start (2 * N.to_nat p)); eauto.
    exists k. exact W. }
  apply (first_step related related_symmetric (seq 1 (N.to_nat size)) (seq_NoDup _ 1)) in won.
  destruct won as (w & M & I & Max & C). exists w, M.
  assert (same_unused : unused (seq 1 (N.to_nat size)) here = unused (seq 1 (N.to_nat size)) start)
    by (unfold unused, here, start, walk, begin; simpl; now destruct start_open).
  assert (same_steps : steps related (seq 1 (N.to_nat size)) here =
    steps related (seq 1 (N.to_nat size)) start)
    by (unfold steps; now rewrite same_unused).
  rewrite same_unused, same_steps. auto.
Qed.

(** * Any game: an end *)

Theorem over_checked G p v :
  match outcome G p with
  | Some (Some s) => same_said (if same (mover G p) s then wins_in_ 0 else loses_in_ 0) v
  | _ => false
  end = true -> means G p v.
Proof.
  destruct (outcome G p) as [[s|]|] eqn:E; try discriminate.
  intros H. apply same_said_right in H as <-.
  assert (W : wins_in G s 0 p) by (split; [eapply over; eauto|intros; lia]).
  destruct (same_spec (mover G p) s) as [e|ne]; simpl; [rewrite e; exact W|].
  apply not_same in ne. rewrite ne, other_other. exact W.
Qed.

(** * Any game with numbered moves: a strategy *)

Record node := Node { choice : N; answers : list (N * N); otherwise : N }.

Definition plan := M.t node.

Fixpoint plan_from (place : N) (l : list node) : plan :=
  match l with
  | [] => M.empty node
  | n :: l => M.add (key place) n (plan_from (N.succ place) l)
  end.

Definition choice_at (s : plan) (place : N) : N :=
  match M.find (key place) s with Some n => choice n | None => 0%N end.

Definition place_after (s : plan) (place move : N) : N :=
  match M.find (key place) s with
  | Some n =>
      match find (fun a => N.eqb (fst a) move) (answers n) with
      | Some a => snd a
      | None => otherwise n
      end
  | None => 0%N
  end.

Section Strategy.

Variable G : game.
Variable legal : position G -> list N.
Variable after : position G -> N -> position G.
Hypothesis numbered_moves : forall p, outcome G p = None -> moves G p = map (after p) (legal p).

Lemma after_in p m : outcome G p = None -> In m (legal p) -> In (after p m) (moves G p).
Proof. intros E I. rewrite numbered_moves by exact E. now apply in_map. Qed.

Definition can (m : N) (l : list N) : bool := existsb (N.eqb m) l.

Lemma can_right m l : can m l = true -> In m l.
Proof. intros H. apply existsb_exists in H as (x & I & E). apply N.eqb_eq in E. now subst. Qed.

(** Whoever plays so has won as [w] within [n] moves, whatever the other does. *)
Fixpoint sure (s : plan) (w : seat) (n : nat) (p : position G) (place : N) : bool :=
  match outcome G p, n with
  | Some (Some t), _ => same t w
  | Some None, _ | None, O => false
  | None, S n =>
      let l := legal p in
      if same (mover G p) w then
        if can (choice_at s place) l then sure s w n (after p (choice_at s place)) place else false
      else
        match l with
        | [] => false
        | _ => forallb (fun m => sure s w n (after p m) (place_after s place m)) l
        end
  end.

Lemma sure_right s w n : forall p place, sure s w n p place = true -> wins_within G w n p.
Proof.
  assert (won : forall n p t, outcome G p = Some (Some t) -> same t w = true -> wins_within G w n p).
  { intros m p t E H. destruct (same_spec t w) as [->|]; [|discriminate]. eapply over; eauto. }
  induction n as [|n IH]; intros p place H; simpl in H;
    destruct (outcome G p) as [[t|]|] eqn:E; try discriminate; eauto.
  destruct (same_spec (mover G p) w) as [M|M].
  - destruct (can _ (legal p)) eqn:C; [|discriminate]. apply can_right in C.
    apply (by_a_move G _ _ n p (after p (choice_at s place))); auto using after_in.
    exact (IH _ _ H).
  - assert (some : legal p <> []) by (destruct (legal p); discriminate || congruence).
    assert (all : forallb (fun m => sure s w n (after p m) (place_after s place m)) (legal p) = true)
      by (destruct (legal p); [discriminate|exact H]).
    apply by_every_move; auto.
    + rewrite numbered_moves by exact E. intros e. apply map_eq_nil in e. contradiction.
    + intros q Q. rewrite numbered_moves in Q by exact E. apply in_map_iff in Q as (m & <- & I).
      rewrite forallb_forall in all. exact (IH _ _ (all m I)).
Qed.

(** Whoever plays so keeps [w] from winning within [n] moves. *)
Fixpoint holds (s : plan) (w : seat) (n : nat) (p : position G) (place : N) : bool :=
  match outcome G p, n with
  | Some (Some t), _ => negb (same t w)
  | Some None, _ | None, O => true
  | None, S n =>
      let l := legal p in
      if same (mover G p) w then
        forallb (fun m => holds s w n (after p m) (place_after s place m)) l
      else if can (choice_at s place) l then holds s w n (after p (choice_at s place)) place
      else false
  end.

Lemma holds_right s w n : forall p place, holds s w n p place = true -> ~ wins_within G w n p.
Proof.
  induction n as [|n IH]; intros p place H W; simpl in H;
    inversion W as [n' p' r E g|n' p' q E M I V|n' p' E M N V]; subst; rewrite E in H.
  - destruct w; discriminate.
  - destruct w; discriminate.
  - destruct (same_spec (mover G p) (mover G p)); [|congruence].
    rewrite numbered_moves in I by exact E. apply in_map_iff in I as (m & <- & I).
    rewrite forallb_forall in H. exact (IH _ _ (H m I) V).
  - destruct (same_spec (mover G p) w); [congruence|].
    destruct (can _ (legal p)) eqn:C; [|discriminate]. apply can_right in C.
    exact (IH _ _ H (V _ (after_in p _ E C))).
Qed.

Definition said_of (w m : seat) (distance : option N) : said :=
  match distance, same m w with
  | Some d, true => wins_in_ d
  | Some d, false => loses_in_ d
  | None, true => wins_somehow
  | None, false => loses_somehow
  end.

Lemma said_of_right w p d :
  match d with Some d => wins_in G w (N.to_nat d) p | None => exists n, wins_within G w n p end ->
  means G p (said_of w (mover G p) d).
Proof.
  unfold said_of. destruct d as [d|]; intros W; destruct (same_spec (mover G p) w) as [e|ne];
    simpl; [rewrite e; exact W|apply not_same in ne|rewrite e; exact W|apply not_same in ne];
    rewrite ne, other_other; exact W.
Qed.

Theorem strategy_checked w most p wins v :
  sure (plan_from 0 wins) w most p 0 && same_said (said_of w (mover G p) None) v = true ->
  means G p v.
Proof.
  rewrite andb_true_iff. intros [H S]. apply same_said_right in S as <-. apply said_of_right.
  apply sure_right in H. eauto.
Qed.

Theorem strategies_checked w d p wins held v :
  (1 <=? d)%N && sure (plan_from 0 wins) w (N.to_nat d) p 0 &&
    holds (plan_from 0 held) w (N.to_nat d - 1) p 0 &&
    same_said (said_of w (mover G p) (Some d)) v = true ->
  means G p v.
Proof.
  rewrite !andb_true_iff, N.leb_le. intros [[[L W] H] S]. apply same_said_right in S as <-.
  apply said_of_right. apply sure_right in W. apply holds_right in H. split; [exact W|].
  intros m V. destruct (le_lt_dec (N.to_nat d) m) as [le|lt]; [exact le|exfalso].
  apply H. apply (forces_longer G _ _ m); [lia|exact V].
Qed.

End Strategy.

(** ** Of Multiplicity *)

Definition walk_moves (size : N) (p : place) : list N :=
  map N.of_nat (steps related (seq 1 (N.to_nat size)) p).

Definition walk_after (p : place) (m : N) : place := step p (N.to_nat m).

Lemma walk_numbered size p : outcome (multiplicity (N.to_nat size)) p = None ->
  moves (multiplicity (N.to_nat size)) p = map (walk_after p) (walk_moves size p).
Proof.
  intros _. unfold walk_moves. rewrite map_map. simpl. apply map_ext. intros w. unfold walk_after.
  now rewrite Nat2N.id.
Qed.

(** ** Of Divisor Line with the goal `chain` *)

Definition line_at (mine theirs : list N) (to_move : seat) (over : bool) : Line.line :=
  {| Line.mine := nats mine; Line.theirs := nats theirs; Line.turn := to_move; Line.won := over |}.

Definition chain_moves (size : N) (p : Line.line) : list N :=
  map N.of_nat (Line.free (N.to_nat size) (Line.mine p) (Line.theirs p)).

Definition chain_after (p : Line.line) (m : N) : Line.line := Chain.claim p (N.to_nat m).

Lemma chain_numbered size p : outcome (Chain.chain_game (N.to_nat size)) p = None ->
  moves (Chain.chain_game (N.to_nat size)) p = map (chain_after p) (chain_moves size p).
Proof.
  simpl. destruct (Line.won p); [discriminate|]. intros _. unfold chain_moves. rewrite map_map.
  apply map_ext. intros n. unfold chain_after. now rewrite Nat2N.id.
Qed.

(** * Divisor Line with the goal `pair` *)

Definition told (v : verdict) : said :=
  match v with
  | Win d => wins_in_ (N.of_nat d)
  | Loss d => loses_in_ (N.of_nat d)
  | Draw _ | Endless => is_endless
  end.

Lemma told_right G p v : (forall d, v <> Draw d) -> value G p v -> means G p (told v).
Proof.
  intros no V. destruct v as [d|d|d|]; simpl; rewrite ?Nat2N.id; auto. now destruct (no d).
Qed.

Definition pair_proves (size : N) (mine theirs : list N) (v : said) : bool :=
  let unrelated l := (length l <? 3) || negb (Line.relation (nats l)) in
  (6 <=? size)%N && fresh (M.empty unit) mine && fresh (M.empty unit) theirs &&
  (length mine <=? length theirs) && (length theirs <=? S (length mine)) &&
  unrelated mine && unrelated theirs &&
  same_said (told (Line.verdict_of (N.to_nat size) (nats mine) (nats theirs))) v.

Theorem pair_checked size mine theirs to_move v : pair_proves size mine theirs v = true ->
  means (Line.line_game (N.to_nat size)) (line_at mine theirs to_move false) v.
Proof.
  unfold pair_proves. rewrite !andb_true_iff, N.leb_le, !Nat.leb_le.
  intros [[[[[[[L Fm] Ft] le] ge] Um] Ut] S]. apply same_said_right in S as <-.
  apply told_right.
  { intros d. unfold Line.verdict_of. destruct (_ <? 2).
    - destruct (_ + _) as [|[|?]]; discriminate.
    - destruct (1 <=? _); [discriminate|]. destruct (2 <=? _); discriminate. }
  apply fresh_right in Fm as [Dm _], Ft as [Dt _].
  assert (un : forall l, (length l <? 3) || negb (Line.relation (nats l)) = true ->
    Line.unrelated (nats l)).
  { intros l H three. unfold nats in three. rewrite map_length in three.
    apply orb_true_iff in H as [H|H]; [apply Nat.ltb_lt in H; lia|now apply negb_true_iff]. }
  apply (Line.line_value (N.to_nat size) ltac:(lia) (line_at mine theirs to_move false)); [reflexivity|].
  simpl. repeat split; auto using nats_NoDup; unfold nats; rewrite !map_length; lia.
Qed.

(** * The tally games *)

Lemma to_nat_div a b : b <> 0%N -> N.to_nat (a / b) = N.to_nat a / N.to_nat b.
Proof.
  intros B. apply (Nat.div_unique _ _ _ (N.to_nat (a mod b))).
  - pose proof (N.mod_lt a b B). lia.
  - rewrite <- N2Nat.inj_mul, <- N2Nat.inj_add. f_equal. now apply N.div_mod.
Qed.

Definition numbered (number : N) (to_move : seat) (ended : option Tally.ending) : Tally.tally :=
  {| Tally.number := N.to_nat number; Tally.turn := to_move; Tally.ended := ended |}.

(** ** Labels of numbers *)

Inductive change := plus (k : N) | minus (k : N) | times (k : N).

Definition nat_change (o : change) : Tally.operation :=
  match o with
  | plus k => Tally.add (N.to_nat k)
  | minus k => Tally.subtract (N.to_nat k)
  | times k => Tally.multiply (N.to_nat k)
  end.

Definition changed (n : N) (o : change) : N :=
  match o with plus k => n + k | minus k => n - k | times k => k * n end%N.

Section Numbers.

Variables (menu : list change) (goal : N) (ceiling : option N) (labels : list (N * said)).
Hypothesis some_goal : goal <> 0%N.

Notation nat_menu := (map nat_change menu).
Notation nat_ceiling := (option_map N.to_nat ceiling).
Notation labelled_game := (Tally.tally_game nat_menu (N.to_nat goal) nat_ceiling).

Definition results (n : N) : list N := filter (N.leb 1) (map (changed n) menu).

Lemma results_nat n : Tally.results nat_menu (N.to_nat n) = nats (results n).
Proof.
  unfold Tally.results, results. rewrite map_map.
  induction menu as [|o l IH]; [reflexivity|]. cbn [map filter].
  assert (e : Tally.apply (nat_change o) (N.to_nat n) = N.to_nat (changed n o))
    by (destruct o; simpl; lia).
  rewrite e, IH. destruct (N.leb_spec 1 (changed n o)), (Nat.leb_spec 1 (N.to_nat (changed n o)));
    try lia; reflexivity.
Qed.

Definition table : M.t said := fold_left (fun t e => M.add (key (fst e)) (snd e) t) labels (M.empty said).

Definition meant (v : said) : verdict :=
  match v with
  | wins_in_ d => Win (N.to_nat d)
  | loses_in_ d => Loss (N.to_nat d)
  | _ => Endless
  end.

(** Without a label a number counts as one at which nobody can move. *)
Definition label (n : nat) : verdict :=
  match M.find (key (N.of_nat n)) table with Some v => meant v | None => Loss 0 end.

Definition is_past (n : N) : bool := match ceiling with Some c => (c <? n)%N | None => false end.

Definition worth (r : N) : said :=
  if is_past r then loses_in_ 1
  else if (r mod goal =? 0)%N then wins_in_ 1
  else
    match M.find (key r) table with
    | Some (wins_in_ d) => loses_in_ (d + 1)
    | Some (loses_in_ d) => wins_in_ (d + 1)
    | Some _ => is_endless
    | None => wins_in_ 1
    end.

Lemma worth_nat r : Tally.worth (N.to_nat goal) nat_ceiling label (N.to_nat r) = meant (worth r).
Proof.
  unfold Tally.worth, worth.
  assert (Tally.past nat_ceiling (N.to_nat r) = is_past r) as ->.
  { unfold Tally.past, is_past. destruct ceiling as [c|]; [simpl|reflexivity].
    destruct (N.ltb_spec c r), (Nat.ltb_spec (N.to_nat c) (N.to_nat r)); try lia; reflexivity. }
  destruct (is_past r); [reflexivity|]. rewrite <- to_nat_mod by exact some_goal.
  destruct (N.eqb_spec (r mod goal) 0) as [->|ne]; [reflexivity|].
  replace (N.to_nat (r mod goal) =? 0) with false by (symmetry; apply Nat.eqb_neq; lia).
  unfold label. rewrite N2Nat.id.
  destruct (M.find (key r) table) as [[d|d| | |]|]; simpl; try reflexivity; f_equal; lia.
Qed.

Definition is_win (v : said) : bool := match v with wins_in_ _ => true | _ => false end.

Definition label_agrees (e : N * said) : bool :=
  let ways := map worth (results (fst e)) in
  match snd e with
  | wins_in_ d =>
      existsb (same_said (wins_in_ d)) ways &&
      forallb (fun w => match w with wins_in_ e => (d <=? e)%N | _ => true end) ways
  | loses_in_ d =>
      existsb (same_said (loses_in_ d)) ways &&
      forallb (fun w => match w with loses_in_ e => (e <=? d)%N | _ => false end) ways
  | is_endless => negb (existsb is_win ways) && existsb (same_said is_endless) ways
  | _ => false
  end.

(** A move leads to an end, to a number with a label, or to one at which nobody can move. *)
Definition known (r : N) : bool :=
  is_past r || (r mod goal =? 0)%N || M.mem (key r) table ||
  match results r with [] => true | _ => false end.

Definition labels_agree : bool :=
  forallb (fun e => label_agrees e && forallb known (results (fst e))) labels.

Lemma table_from n v : M.find (key n) table = Some v -> In (n, v) labels.
Proof.
  unfold table.
  cut (forall l t, M.find (key n) (fold_left (fun t e => M.add (key (fst e)) (snd e) t) l t) = Some v ->
    In (n, v) l \/ M.find (key n) t = Some v).
  { intros H F. apply H in F as [F|F]; [exact F|]. now rewrite M.gempty in F. }
  induction l as [|[m w] l IH]; intros t F; simpl in *; [now right|].
  apply IH in F as [F|F]; [auto|]. destruct (N.eq_dec m n) as [->|ne].
  - rewrite M.gss in F. injection F as ->. auto.
  - rewrite M.gso in F; [auto|]. intros e. apply key_injective in e. congruence.
Qed.

Lemma meant_win v d : meant v = Win d -> v = wins_in_ (N.of_nat d).
Proof. destruct v; simpl; intros [= <-]. now rewrite N2Nat.id. Qed.

Lemma agrees_right n v : In (n, v) labels -> M.find (key n) table = Some v -> labels_agree = true ->
  Tally.number_agrees nat_menu (N.to_nat goal) nat_ceiling label (N.to_nat n).
Proof.
  intros I F A. unfold labels_agree in A. rewrite forallb_forall in A. specialize (A _ I).
  apply andb_true_iff in A as [A _]. unfold label_agrees in A. simpl fst in A. simpl snd in A.
  unfold Tally.number_agrees, label at 1. rewrite N2Nat.id, F, results_nat.
  assert (to : forall r, In r (nats (results n)) -> exists w,
    In w (map worth (results n)) /\ Tally.worth (N.to_nat goal) nat_ceiling label r = meant w).
  { intros r R. apply nats_in in R as (m & -> & R). exists (worth m). split; [now apply in_map|].
    apply worth_nat. }
  assert (from : forall w, In w (map worth (results n)) -> exists r,
    In r (nats (results n)) /\ Tally.worth (N.to_nat goal) nat_ceiling label r = meant w).
  { intros w W. apply in_map_iff in W as (m & <- & R). exists (N.to_nat m).
    split; [now apply in_nats|apply worth_nat]. }
  assert (some : forall w, existsb (same_said w) (map worth (results n)) = true ->
    In w (map worth (results n))).
  { intros w W. apply existsb_exists in W as (x & X & E). apply same_said_right in E. now subst. }
  destruct v as [d|d| | |]; try discriminate; simpl; apply andb_true_iff in A as [A B].
  - apply some, from in A as (r & R & W). split; [eauto|]. intros r' e R' W'.
    apply to in R' as (w & I' & E). rewrite W' in E. symmetry in E. apply meant_win in E as ->.
    rewrite forallb_forall in B. specialize (B _ I'). simpl in B. apply N.leb_le in B. lia.
  - apply some, from in A as (r & R & W). split; [right; eauto|]. intros r' R'.
    apply to in R' as (w & I' & E). rewrite forallb_forall in B. specialize (B _ I').
    destruct w as [e|e| | |]; try discriminate. apply N.leb_le in B. simpl in E.
    exists (N.to_nat e). split; [exact E|lia].
  - apply some, from in B as (r & R & W). split; [|eauto]. intros r' e R' W'.
    apply to in R' as (w & I' & E). rewrite W' in E. symmetry in E. apply meant_win in E as ->.
    apply negb_true_iff in A. assert (existsb is_win (map worth (results n)) = true); [|congruence].
    apply existsb_exists. eauto.
Qed.

Lemma numbers_right n to_move v :
  labels_agree = true -> M.find (key n) table = Some v ->
  means labelled_game (numbered n to_move None) v.
Proof.
  intros A F.
  enough (value labelled_game (numbered n to_move None) (meant v)) as V.
  { apply table_from in F. unfold labels_agree in A. rewrite forallb_forall in A.
    specialize (A _ F). apply andb_true_iff in A as [A _]. unfold label_agrees in A. simpl in A.
    destruct v; try discriminate; exact V. }
  replace (meant v) with (label (N.to_nat n)) by (unfold label; now rewrite N2Nat.id, F).
  apply (Tally.tally_value nat_menu (N.to_nat goal) nat_ceiling
    (fun m => (exists w, M.find (key (N.of_nat m)) table = Some w) \/
      M.find (key (N.of_nat m)) table = None /\ Tally.results nat_menu m = [])).
  - intros m r [(w & W)|[_ stuck]] R P N; [|rewrite stuck in R; contradiction].
    apply table_from in W. unfold labels_agree in A. rewrite forallb_forall in A.
    specialize (A _ W). apply andb_true_iff in A as [_ A]. simpl in A.
    rewrite forallb_forall in A. rewrite <- (Nat2N.id m), results_nat in R.
    apply nats_in in R as (x & -> & R). specialize (A x R). rewrite N2Nat.id.
    destruct (M.find (key x) table) as [y|] eqn:X; [eauto|right]. split; [reflexivity|].
    rewrite results_nat. unfold known in A. rewrite M.mem_find, X, orb_false_r in A.
    assert (is_past x = false) as not_past.
    { rewrite <- P. unfold Tally.past, is_past. destruct ceiling as [c|]; [simpl|reflexivity].
      destruct (N.ltb_spec c x), (Nat.ltb_spec (N.to_nat c) (N.to_nat x)); try lia; reflexivity. }
    rewrite not_past in A. rewrite <- to_nat_mod in N by exact some_goal.
    destruct (N.eqb_spec (x mod goal) 0) as [e|_]; [rewrite e in N; now destruct N|].
    simpl in A. destruct (results x); [reflexivity|discriminate].
  - intros m [(w & W)|[W stuck]].
    + rewrite <- (Nat2N.id m). rewrite <- (N2Nat.id (N.of_nat m)) in W.
      rewrite Nat2N.id in W. apply (agrees_right (N.of_nat m) w); auto using table_from.
    + unfold Tally.number_agrees, label. rewrite W, stuck. split; [now left|intros r []].
  - left. rewrite N2Nat.id. eauto.
Qed.

End Numbers.

Theorem numbers_checked menu goal ceiling labels n to_move v :
  negb (goal =? 0)%N && labels_agree menu goal ceiling labels &&
    match M.find (key n) (table labels) with Some w => same_said w v | None => false end = true ->
  means (Tally.tally_game (map nat_change menu) (N.to_nat goal) (option_map N.to_nat ceiling))
    (numbered n to_move None) v.
Proof.
  rewrite !andb_true_iff, negb_true_iff, N.eqb_neq. intros [[G A] F].
  destruct (M.find (key n) (table labels)) as [w|] eqn:E; [|discriminate].
  apply same_said_right in F as ->. now apply (numbers_right menu goal ceiling labels).
Qed.

(** ** Divisor Duel *)

Definition duel (D n : N) : said :=
  let r := (n mod D)%N in
  let row l := nth (N.to_nat r) l is_endless in
  if (D =? 3)%N then row [wins_in_ 1; loses_in_ 2; wins_in_ 1]
  else if (D =? 4)%N then row [wins_in_ 1; loses_in_ 2; wins_in_ 1; wins_in_ 1]
  else if (D =? 8)%N then row [wins_in_ 1; wins_in_ 5; loses_in_ 4; wins_in_ 3; wins_in_ 1;
    wins_in_ 3; loses_in_ 2; wins_in_ 1]
  else if ((r =? 0) || (r + 1 =? D) || (2 * r =? D))%N then wins_in_ 1 else is_endless.

Theorem divisor_checked D n to_move v :
  (1 <=? D)%N && (1 <=? n)%N && same_said (duel D n) v = true ->
  means (DivisorDuel.divisor_duel (N.to_nat D)) (numbered n to_move None) v.
Proof.
  rewrite !andb_true_iff, !N.leb_le. intros [[LD Ln] S]. apply same_said_right in S as <-.
  assert (r : N.to_nat n mod N.to_nat D = N.to_nat (n mod D)) by (symmetry; apply to_nat_mod; lia).
  pose proof (N.mod_lt n D ltac:(lia)) as lt. unfold duel.
  change (numbered n to_move None) with (Tally.going_on to_move (N.to_nat n)).
  destruct (N.eqb_spec D 3) as [->|D3]; [|destruct (N.eqb_spec D 4) as [->|D4];
    [|destruct (N.eqb_spec D 8) as [->|D8]]].
  - pose proof (DivisorDuel.divisor_3 to_move (N.to_nat n) ltac:(lia)) as V.
    change (N.to_nat 3) with 3 in *. rewrite r in V.
    assert (C : (n mod 3 = 0 \/ n mod 3 = 1 \/ n mod 3 = 2)%N) by lia.
    destruct C as [C|[C|C]]; rewrite C in *; exact V.
  - pose proof (DivisorDuel.divisor_4 to_move (N.to_nat n) ltac:(lia)) as V.
    change (N.to_nat 4) with 4 in *. rewrite r in V.
    assert (C : (n mod 4 = 0 \/ n mod 4 = 1 \/ n mod 4 = 2 \/ n mod 4 = 3)%N) by lia.
    destruct C as [C|[C|[C|C]]]; rewrite C in *; exact V.
  - pose proof (DivisorDuel.divisor_8 to_move (N.to_nat n) ltac:(lia)) as V.
    change (N.to_nat 8) with 8 in *. rewrite r in V.
    assert (C : (n mod 8 = 0 \/ n mod 8 = 1 \/ n mod 8 = 2 \/ n mod 8 = 3 \/
      n mod 8 = 4 \/ n mod 8 = 5 \/ n mod 8 = 6 \/ n mod 8 = 7)%N) by lia.
    destruct C as [C|[C|[C|[C|[C|[C|[C|C]]]]]]]; rewrite C in *; exact V.
  - pose proof (DivisorDuel.divisor_duel_value (N.to_nat D) to_move (N.to_nat n)) as V.
    specialize (V ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)). rewrite r in V.
    unfold DivisorDuel.usually, DivisorDuel.hot in V.
    set (x := (n mod D)%N) in *. clearbody x.
    replace ((N.to_nat x =? 0) || (N.to_nat x + 1 =? N.to_nat D) || (2 * N.to_nat x =? N.to_nat D))
      with ((x =? 0) || (x + 1 =? D) || (2 * x =? D))%N in V.
    + destruct (_ || _)%N; exact V.
    + destruct (N.eqb_spec x 0), (N.eqb_spec (x + 1) D), (N.eqb_spec (2 * x) D),
        (Nat.eqb_spec (N.to_nat x) 0), (Nat.eqb_spec (N.to_nat x + 1) (N.to_nat D)),
        (Nat.eqb_spec (2 * N.to_nat x) (N.to_nat D)); simpl; try reflexivity; lia.
Qed.

(** ** Races *)

Definition top (T : N) (k : nat) : N := (T / 2 ^ N.of_nat k)%N.

Lemma top_nat T k : Races.top (N.to_nat T) k = N.to_nat (top T k).
Proof.
  unfold Races.top, top. assert (2 ^ N.of_nat k <> 0)%N by (apply N.pow_nonzero; lia).
  rewrite to_nat_div by assumption. f_equal. rewrite N2Nat.inj_pow, Nat2N.id. reflexivity.
Qed.

Definition far (T : N) (k e : nat) (n : N) : N :=
  (T - n - fold_right N.add 0 (map (top T) (filter Nat.even (seq 2 (min k e - 1)))))%N.

Lemma far_nat T k n : Races.closed_distance (N.to_nat T) k (N.to_nat n) =
  N.to_nat (far T k (Races.first_odd_layer (N.to_nat T)) n).
Proof.
  unfold Races.closed_distance, far. rewrite !N2Nat.inj_sub. f_equal.
  induction (filter Nat.even (seq 2 (min k (Races.first_odd_layer (N.to_nat T)) - 1))) as [|j l IH];
    [reflexivity|].
  cbn [map list_sum fold_right]. rewrite N2Nat.inj_add, top_nat. f_equal. exact IH.
Qed.

Definition race (T n : N) (k e : nat) : said :=
  if (k <? e) && Nat.odd k then wins_in_ (1 + far T (k - 1) e (2 * n))
  else if eqb (N.odd n) (e <=? k) then loses_in_ (far T k e n)
  else wins_in_ (far T k e n).

(** [e] is the first even place of a one in T's binary digits, or is beyond them. *)
Definition first_one (T : N) (e : nat) : bool :=
  forallb (fun i => negb (Nat.even i) || N.even (top T i)) (seq 0 e) &&
  (Nat.even e && N.odd (top T e) || (e =? S (N.to_nat (N.log2 T)))).

Lemma digit_nat T i : Nat.testbit (N.to_nat T) i = N.odd (top T i).
Proof.
  rewrite Races.digit, top_nat, <- to_nat_even. apply N.negb_even.
Qed.

Lemma first_one_right T e : first_one T e = true -> (2 <= T)%N ->
  Nat.log2 (N.to_nat T) = N.to_nat (N.log2 T) -> Races.first_odd_layer (N.to_nat T) = e.
Proof.
  unfold first_one. rewrite andb_true_iff, forallb_forall. intros [none here] L log.
  assert (lower : forall i, i < e -> Nat.even i = true -> Nat.testbit (N.to_nat T) i = false).
  { intros i I Ev. specialize (none i ltac:(apply in_seq; lia)). rewrite Ev in none. simpl in none.
    rewrite digit_nat, <- N.negb_even, none. reflexivity. }
  set (f := Races.first_odd_layer (N.to_nat T)).
  assert (low : f <= Nat.log2 (N.to_nat T) -> e <= f).
  { intros le. destruct (Races.at_first (N.to_nat T)) as [Ev B]; [lia|exact le|]. fold f in Ev, B.
    destruct (le_lt_dec e f) as [|lt]; [assumption|]. rewrite lower in B by assumption. discriminate. }
  assert (top_ : f <= S (Nat.log2 (N.to_nat T))).
  { unfold f, Races.first_odd_layer. destruct (least _ _) eqn:E; [|lia].
    apply least_some in E as (_ & le & _). lia. }
  apply orb_true_iff in here as [here|here].
  - apply andb_true_iff in here as [Ev B]. rewrite <- digit_nat in B.
    assert (e <= Nat.log2 (N.to_nat T)).
    { destruct (le_lt_dec e (Nat.log2 (N.to_nat T))) as [|lt]; [assumption|].
      rewrite Nat.bits_above_log2 in B by exact lt. discriminate. }
    destruct (le_lt_dec f e) as [le|lt]; [lia|].
    rewrite (Races.below_first (N.to_nat T) ltac:(lia) e lt Ev) in B. discriminate.
  - apply Nat.eqb_eq in here. rewrite <- log in here. lia.
Qed.

Lemma log2_nat T : (1 <= T)%N -> Nat.log2 (N.to_nat T) = N.to_nat (N.log2 T).
Proof.
  intros L. apply Nat.log2_unique; [lia|]. destruct (N.log2_spec T) as [low high]; [lia|].
  assert (pow : forall k, N.to_nat (2 ^ k) = 2 ^ N.to_nat k)
    by (intros k; now rewrite N2Nat.inj_pow).
  rewrite <- pow, <- N2Nat.inj_succ, <- pow. lia.
Qed.

Theorem race_checked T n to_move (k e : nat) v :
  (2 <=? T)%N && (1 <=? n)%N && (n <? T)%N && (top T (S k) <? n)%N && (n <=? top T k)%N &&
    first_one T e && same_said (race T n k e) v = true ->
  means (Races.race (N.to_nat T)) (numbered n to_move None) v.
Proof.
  rewrite !andb_true_iff, !N.leb_le, !N.ltb_lt. intros [[[[[[T2 n1] nT] low] high] first] S].
  apply same_said_right in S as <-. change (numbered n to_move None) with (Tally.going_on to_move (N.to_nat n)).
  pose proof (Races.race_value (N.to_nat T) ltac:(lia) to_move (N.to_nat n) ltac:(lia)) as V.
  unfold Races.closed_verdict in V.
  rewrite (Races.layer_is (N.to_nat T) ltac:(lia) k (N.to_nat n)) in V; [|lia|].
  2:{ unfold Races.in_layer. rewrite !top_nat. lia. }
  apply first_one_right in first; [|lia|apply log2_nat; lia].
  cbv zeta in V. replace (2 * N.to_nat n) with (N.to_nat (2 * n)) in V by lia.
  rewrite !far_nat, first in V. unfold race.
  replace (Nat.odd (N.to_nat n)) with (N.odd n) in V
    by (rewrite <- N.negb_even, to_nat_even; apply Nat.negb_even).
  destruct ((k <? e) && Nat.odd k) eqn:C; [|destruct (eqb (N.odd n) (e <=? k))].
  - unfold means. now rewrite N2Nat.inj_add.
  - exact V.
  - exact V.
Qed.
