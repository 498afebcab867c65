(** The races: add one or double, reach the target exactly, never pass it (Operation Duel with the
    operations +1 and x2, Double or Add).

    What is modelled. [Tally.tally_game] with the menu +1 and x2, and with goal and ceiling equal to
    the target T.

    What is proved, in the words of docs/theory.md.
    - [race_value]: the verdict and the distance of every number below T, in closed form.
    - [kinds]: what the layers are: up to the lowest even place of a one in T's binary digits they
      take turns, evens lose, all win; from there on odds lose. That a layer is of a kind is what
      [race_value] says of its numbers.
    - [first_player_wins_from_one]: just if T is a sum of distinct odd powers of two. *)

From Coq Require Import List Arith Lia Bool.
From Numduel Require Import Finding Game Tally.
Import ListNotations.

Section Race.

Variable T : nat.
Hypothesis target : 2 <= T.

Definition race : game := tally_game usual T (Some T).

(** * Layers *)

Definition top (k : nat) : nat := T / 2 ^ k.

(** Layer [k] is the numbers above [top (S k)], up to [top k]. *)
Definition in_layer (k n : nat) := top (S k) < n <= top k.

Definition layer (n : nat) : nat := Nat.log2 (T / n).

Lemma top_0 : top 0 = T.
Proof. apply Nat.div_1_r. Qed.

Lemma top_S k : top (S k) = top k / 2.
Proof.
  unfold top. rewrite Nat.pow_succ_r', Nat.mul_comm, <- Nat.div_div; [reflexivity| |lia].
  apply Nat.pow_nonzero; lia.
Qed.

Lemma halved k : 2 * top (S k) <= top k <= 2 * top (S k) + 1.
Proof.
  rewrite top_S. pose proof (Nat.div_mod_eq (top k) 2).
  pose proof (Nat.mod_upper_bound (top k) 2). lia.
Qed.

Lemma top_falls j k : j <= k -> top k <= top j.
Proof. induction 1 as [|k _ IH]; [lia|]. pose proof (halved k). lia. Qed.

Lemma in_its_layer n : 1 <= n <= T -> in_layer (layer n) n.
Proof.
  intros H. unfold in_layer, layer, top. set (k := Nat.log2 (T / n)).
  assert (P : 1 <= T / n) by (apply Nat.div_le_lower_bound; lia).
  destruct (Nat.log2_spec (T / n)) as [L U]; [lia|]. fold k in L, U.
  assert (2 ^ k <> 0) by (apply Nat.pow_nonzero; lia).
  assert (2 ^ S k <> 0) by (apply Nat.pow_nonzero; lia).
  split.
  - apply Nat.div_lt_upper_bound; [assumption|].
    pose proof (Nat.mul_succ_div_gt T n ltac:(lia)). nia.
  - apply Nat.div_le_lower_bound; [assumption|].
    pose proof (Nat.mul_div_le T n ltac:(lia)). nia.
Qed.

Lemma one_layer j k n : in_layer j n -> in_layer k n -> j = k.
Proof.
  unfold in_layer. intros J K. destruct (Nat.lt_total j k) as [lt|[e|lt]]; [|exact e|].
  - pose proof (top_falls (S j) k lt). lia.
  - pose proof (top_falls (S k) j lt). lia.
Qed.

Lemma layer_is k n : 1 <= n <= T -> in_layer k n -> layer n = k.
Proof. intros H K. eapply one_layer; [apply in_its_layer, H|exact K]. Qed.

(** * Kinds *)

Inductive kind := evens_lose | odds_lose | all_win.

Fixpoint kind_of (k : nat) : kind :=
  match k with
  | 0 => if Nat.even T then evens_lose else odds_lose
  | S j =>
      match kind_of j with
      | evens_lose => all_win
      | odds_lose => odds_lose
      | all_win => if Nat.even (top (S j)) then evens_lose else odds_lose
      end
  end.

(** What the doublings over layers of wins pass, so that it does not count. *)
Fixpoint passed (k : nat) : nat :=
  match k with
  | 0 => 0
  | S j => match kind_of j with all_win => passed j + top (S j) | _ => passed j end
  end.

Definition distance (k n : nat) : nat := T - n - passed k.

Definition verdict_in (k n : nat) : verdict :=
  match kind_of k with
  | evens_lose => if Nat.even n then Loss (distance k n) else Win (distance k n)
  | odds_lose => if Nat.even n then Win (distance k n) else Loss (distance k n)
  | all_win => Win (1 + distance (k - 1) (2 * n))
  end.

Definition label (n : nat) : verdict := verdict_in (layer n) n.

Lemma kind_S j : kind_of (S j) =
  match kind_of j with
  | evens_lose => all_win
  | odds_lose => odds_lose
  | all_win => if Nat.even (top (S j)) then evens_lose else odds_lose
  end.
Proof. reflexivity. Qed.

Lemma passed_S j :
  passed (S j) = match kind_of j with all_win => passed j + top (S j) | _ => passed j end.
Proof. reflexivity. Qed.

Lemma above_wins k : kind_of k = all_win -> exists j, k = S j /\ kind_of j = evens_lose.
Proof.
  destruct k as [|j]; simpl; [now destruct (Nat.even T)|].
  intros H. exists j; split; [reflexivity|].
  destruct (kind_of j); [reflexivity|discriminate|]. now destruct (Nat.even (top (S j))) in H.
Qed.

Lemma passed_top k : passed k + top k <= T.
Proof.
  induction k as [|k IH]; [rewrite top_0; simpl; lia|].
  rewrite passed_S. pose proof (halved k). destruct (kind_of k); lia.
Qed.

Lemma even_next n : Nat.even (n + 1) = negb (Nat.even n).
Proof. now rewrite Nat.add_1_r, Nat.even_succ, <- Nat.negb_even. Qed.

Lemma even_double n : Nat.even (2 * n) = true.
Proof. now rewrite Nat.even_mul. Qed.

(** * The labels agree *)

Lemma label_target k : in_layer k T -> verdict_in k T = Loss 0.
Proof.
  intros L. assert (k = 0) as ->.
  { apply (one_layer k 0 T L). unfold in_layer. pose proof (halved 0). rewrite top_0 in *. lia. }
  unfold verdict_in, distance. simpl. replace (T - T - 0) with 0 by lia.
  now destruct (Nat.even T).
Qed.

Lemma worth_in k r : 1 <= r <= T -> in_layer k r ->
  worth T (Some T) label r = before false (verdict_in k r).
Proof.
  intros H L. unfold worth, past. replace (T <? r) with false by (symmetry; apply Nat.ltb_ge; lia).
  destruct (Nat.eq_dec r T) as [->|ne].
  - rewrite Nat.mod_same, Nat.eqb_refl, label_target by (assumption || lia). reflexivity.
  - rewrite Nat.mod_small by lia. replace (r =? 0) with false by (symmetry; apply Nat.eqb_neq; lia).
    unfold label. now rewrite (layer_is k r H L).
Qed.

Lemma worth_past r : T < r -> worth T (Some T) label r = Loss 1.
Proof. intros H. unfold worth, past. apply Nat.ltb_lt in H. now rewrite H. Qed.

Lemma race_agrees n : 1 <= n < T -> number_agrees usual T (Some T) label n.
Proof.
  intros H. pose proof (in_its_layer n ltac:(lia)) as L.
  assert (lab : label n = verdict_in (layer n) n) by reflexivity.
  remember (layer n) as k eqn:Ek; clear Ek.
  destruct k as [|j].
  { (* above half the target, doubling loses at once *)
    pose proof (halved 0) as half. unfold in_layer in L. rewrite top_0 in *.
    eapply agrees_by; [lia|apply (worth_in 0); [lia|]|apply worth_past; lia|].
    { unfold in_layer. rewrite top_0. lia. }
    rewrite lab. unfold verdict_in, kind_of, distance, passed. rewrite even_next.
    destruct (Nat.even T) eqn:ET, (Nat.even n) eqn:En; cbn [negb before].
    - split; [left; f_equal; lia|]. do 2 eexists. repeat split; lia.
    - split; [left; f_equal; lia|]. intros e [E|E]; [injection E as <-; lia|discriminate].
    - split; [left; f_equal; lia|]. intros e [E|E]; [injection E as <-; lia|discriminate].
    - split; [left; f_equal; lia|]. do 2 eexists. repeat split; lia. }
  pose proof (halved (S j)) as half. pose proof (halved j) as half'.
  pose proof (passed_top j) as room. pose proof (passed_top (S j)) as room'.
  unfold in_layer in L.
  assert (L2 : in_layer j (2 * n)) by (unfold in_layer; lia).
  assert (top j <= T) by (pose proof (top_falls 0 j); rewrite top_0 in *; lia).
  assert (W2 : worth T (Some T) label (2 * n) = before false (verdict_in j (2 * n)))
    by (apply worth_in; [lia|exact L2]).
  set (t := top (S j)) in *.
  assert (W1 : n < t /\ worth T (Some T) label (n + 1) = before false (verdict_in (S j) (n + 1)) \/
               n = t /\ worth T (Some T) label (n + 1) = before false (verdict_in j (n + 1))).
  { destruct (Nat.eq_dec n t) as [e|ne]; [right|left]; (split; [lia|]); apply worth_in; try lia;
      unfold in_layer; fold t; lia. }
  rewrite passed_S in room'. fold t in room'.
  destruct (kind_of j) eqn:K.
  - (* below a layer where evens lose, doubling wins *)
    assert (V : forall m, verdict_in (S j) m = Win (1 + distance j (2 * m))).
    { intros m. unfold verdict_in. rewrite kind_S, K. now rewrite Nat.sub_succ, Nat.sub_0_r. }
    assert (V2 : verdict_in j (2 * n) = Loss (distance j (2 * n)))
      by (unfold verdict_in; now rewrite K, even_double).
    rewrite V2 in W2. eapply agrees_by; [lia|reflexivity|exact W2|].
    rewrite lab, V. split; [right; reflexivity|].
    intros e [E|E]; [|cbn [before] in E; unfold distance in *; injection E as <-; lia].
    destruct W1 as [[_ W1]|[-> W1]]; rewrite W1 in E.
    + rewrite V in E. discriminate.
    + unfold verdict_in in E. rewrite K in E. unfold distance in *.
      destruct (Nat.even (t + 1)); cbn [before] in E; [|discriminate]. injection E as <-. lia.
  - (* below a layer where odds lose, both add one *)
    assert (V : forall m, verdict_in (S j) m = verdict_in j m).
    { intros m. unfold verdict_in, distance. now rewrite kind_S, passed_S, K. }
    assert (W1' : worth T (Some T) label (n + 1) = before false (verdict_in j (n + 1)))
      by (destruct W1 as [[_ W1]|[_ W1]]; rewrite W1; rewrite ?V; reflexivity).
    eapply agrees_by; [lia|exact W1'|exact W2|].
    rewrite lab, V. unfold verdict_in, distance. rewrite K, even_double, even_next.
    destruct (Nat.even n) eqn:En; cbn [negb before].
    + split; [left; f_equal; lia|]. intros e [E|E]; [injection E as <-; lia|discriminate].
    + split; [left; f_equal; lia|]. do 2 eexists. repeat split; lia.
  - (* below a layer of wins, both add one, and its top loses *)
    destruct (above_wins j K) as (i & -> & Ki).
    assert (P : passed (S i) = passed i) by (now rewrite passed_S, Ki).
    pose proof (halved i) as half''. pose proof (passed_top i) as room''.
    assert (V2 : forall m, verdict_in (S i) m = Win (1 + distance i (2 * m))).
    { intros m. unfold verdict_in. rewrite K. now rewrite Nat.sub_succ, Nat.sub_0_r. }
    rewrite V2 in W2.
    assert (V : forall m, verdict_in (S (S i)) m =
      if eqb (Nat.even m) (Nat.even t) then Loss (T - m - (passed i + t))
      else Win (T - m - (passed i + t))).
    { intros m. unfold verdict_in, distance. rewrite kind_S, passed_S, K, P. fold t.
      destruct (Nat.even t), (Nat.even m); reflexivity. }
    rewrite P in room'.
    destruct W1 as [[lt W1]|[-> W1]].
    + eapply agrees_by; [lia|exact W1|exact W2|]. rewrite lab, !V, even_next. unfold distance.
      destruct (Nat.even n), (Nat.even t); cbn [negb before eqb].
      * split; [left; f_equal; lia|]. do 2 eexists. repeat split; lia.
      * split; [left; f_equal; lia|]. intros e [E|E]; [injection E as <-; lia|discriminate].
      * split; [left; f_equal; lia|]. intros e [E|E]; [injection E as <-; lia|discriminate].
      * split; [left; f_equal; lia|]. do 2 eexists. repeat split; lia.
    + rewrite V2 in W1. eapply agrees_by; [lia|exact W1|exact W2|]. rewrite lab, V, eqb_reflx.
      unfold distance. cbn [before].
      split; [left; f_equal; lia|]. do 2 eexists. repeat split; lia.
Qed.

Lemma label_is_value s n : 1 <= n < T -> value race (going_on s n) (label n).
Proof.
  intros H.
  apply (tally_value usual T (Some T) (fun n => 1 <= n < T)); [|exact race_agrees|exact H].
  clear. intros n r H R P M. unfold past in P. apply Nat.ltb_ge in P.
  destruct (Nat.eq_dec r T) as [->|ne]; [rewrite Nat.mod_same in M; lia|].
  rewrite usual_results in R by lia. destruct R as [<-|[<-|[]]]; lia.
Qed.

(** * In closed form *)

(** The lowest even place of a one in T's binary digits; beyond them all, if there is none. *)
Definition first_odd_layer : nat :=
  match least (fun i => Nat.even i && Nat.testbit T i) (Nat.log2 T) with
  | Some i => i
  | None => S (Nat.log2 T)
  end.

Lemma below_first i : i < first_odd_layer -> Nat.even i = true -> Nat.testbit T i = false.
Proof.
  unfold first_odd_layer. destruct (least _ _) as [e|] eqn:F; intros lt Ev.
  - destruct (Nat.testbit T i) eqn:B; [|reflexivity].
    apply least_some in F as (_ & _ & first). specialize (first i). rewrite Ev, B in first.
    specialize (first eq_refl). lia.
  - apply (least_none _ _ i) in F; [|lia]. cbv beta in F. now rewrite Ev in F.
Qed.

Lemma at_first : first_odd_layer <= Nat.log2 T ->
  Nat.even first_odd_layer = true /\ Nat.testbit T first_odd_layer = true.
Proof.
  unfold first_odd_layer. destruct (least _ _) as [e|] eqn:F; intros le; [|lia].
  apply least_some in F as (H & _). now apply andb_true_iff in H.
Qed.

Lemma digit k : Nat.testbit T k = negb (Nat.even (top k)).
Proof. unfold top. now rewrite Nat.testbit_odd, Nat.shiftr_div_pow2, Nat.negb_even. Qed.

Theorem kinds k : k <= Nat.log2 T ->
  kind_of k =
    if first_odd_layer <=? k then odds_lose else if Nat.even k then evens_lose else all_win.
Proof.
  assert (here : forall k, k <= Nat.log2 T -> Nat.even k = true ->
    first_odd_layer <= k -> k <= first_odd_layer -> Nat.even (top k) = false).
  { intros i I Ev le ge. assert (e : first_odd_layer = i) by lia.
    destruct at_first as [_ B]; [lia|]. rewrite e, digit in B. now destruct (Nat.even (top i)). }
  induction k as [|j IH]; intros le.
  - cbn [kind_of]. replace (Nat.even T) with (Nat.even (top 0)) by now rewrite top_0.
    destruct (Nat.leb_spec first_odd_layer 0) as [H|H].
    + now rewrite (here 0) by (auto; lia).
    + pose proof (below_first 0 H eq_refl) as B. rewrite digit in B.
      now destruct (Nat.even (top 0)).
  - rewrite kind_S, IH by lia.
    destruct (Nat.leb_spec first_odd_layer j) as [H|H],
             (Nat.leb_spec first_odd_layer (S j)) as [H'|H']; try reflexivity; try lia.
    + assert (first_odd_layer = S j) as e by lia.
      destruct at_first as [Ev _]; [lia|]. rewrite e in Ev. rewrite Nat.even_succ in Ev.
      rewrite <- Nat.negb_odd, Ev. cbn [negb].
      rewrite (here (S j)); [reflexivity|lia|now rewrite Nat.even_succ|lia|lia].
    + rewrite Nat.even_succ, <- Nat.negb_even. destruct (Nat.even j) eqn:Ev; [reflexivity|].
      assert (Ev' : Nat.even (S j) = true) by (now rewrite Nat.even_succ, <- Nat.negb_even, Ev).
      pose proof (below_first (S j) H' Ev') as B. rewrite digit in B.
      now destruct (Nat.even (top (S j))).
Qed.

(** T - n less the tops of the even layers from 2 to [k], or to the first odd layer. *)
Definition closed_distance (k n : nat) : nat :=
  T - n - list_sum (map top (filter Nat.even (seq 2 (min k first_odd_layer - 1)))).

Lemma passed_closed k : k <= Nat.log2 T ->
  passed k = list_sum (map top (filter Nat.even (seq 2 (min k first_odd_layer - 1)))).
Proof.
  induction k as [|j IH]; intros le; [reflexivity|].
  rewrite passed_S, kinds, IH by lia.
  destruct (Nat.leb_spec first_odd_layer j) as [H|H].
  - now rewrite !Nat.min_r by lia.
  - rewrite !Nat.min_l by lia. destruct j as [|i]; [reflexivity|].
    replace (S (S i) - 1) with (S i) by lia. replace (S i - 1) with i by lia.
    rewrite seq_S, filter_app, map_app, list_sum_app. cbn [filter].
    replace (2 + i) with (S (S i)) by lia.
    rewrite (Nat.even_succ (S i)), <- Nat.negb_even.
    destruct (Nat.even (S i)); cbn [negb map list_sum fold_right]; lia.
Qed.

Definition closed_verdict (n : nat) : verdict :=
  let k := layer n in
  if (k <? first_odd_layer) && Nat.odd k then Win (1 + closed_distance (k - 1) (2 * n))
  else if eqb (Nat.odd n) (first_odd_layer <=? k) then Loss (closed_distance k n)
  else Win (closed_distance k n).

Lemma layer_bound n : layer n <= Nat.log2 T.
Proof.
  apply Nat.log2_le_mono. destruct n as [|n]; [simpl; lia|].
  apply Nat.div_le_upper_bound; nia.
Qed.

Lemma label_closed n : label n = closed_verdict n.
Proof.
  pose proof (layer_bound n) as le. unfold label, closed_verdict, verdict_in, distance.
  cbv zeta. unfold closed_distance.
  rewrite kinds, <- (passed_closed (layer n)), <- (passed_closed (layer n - 1)) by lia.
  rewrite <- !Nat.negb_even.
  destruct (Nat.leb_spec first_odd_layer (layer n)) as [H|H],
    (Nat.ltb_spec (layer n) first_odd_layer) as [H'|H'];
    try lia; destruct (Nat.even (layer n)), (Nat.even n); reflexivity.
Qed.

Theorem race_value s n : 1 <= n < T -> value race (going_on s n) (closed_verdict n).
Proof. rewrite <- label_closed. apply label_is_value. Qed.

(** What a kind says of the numbers of a layer. *)
Theorem layer_kind s k n : 1 <= n < T -> in_layer k n ->
  ((exists m, wins_within race (other s) m (going_on s n)) <->
   match kind_of k with
   | evens_lose => Nat.even n = true
   | odds_lose => Nat.odd n = true
   | all_win => False
   end).
Proof.
  intros H L. pose proof (label_is_value s n H) as V. unfold label in V.
  rewrite (layer_is k n ltac:(lia) L) in V. unfold verdict_in in V.
  assert (won : forall d, value race (going_on s n) (Win d) ->
    ~ exists m, wins_within race (other s) m (going_on s n)).
  { intros d [W _] [m W']. exact (not_both_win race _ s d m W W'). }
  assert (lost : forall d, value race (going_on s n) (Loss d) ->
    exists m, wins_within race (other s) m (going_on s n)) by (intros d [W _]; eauto).
  rewrite <- Nat.negb_even.
  destruct (kind_of k), (Nat.even n); simpl negb; (split; [intros X|intros X; try discriminate]);
    eauto; try reflexivity; try contradiction; exfalso; eapply won; eauto.
Qed.

(** * From 1 *)

Lemma sum_of_powers l : NoDup l ->
  forall j, Nat.testbit (list_sum (map (fun i => 2 ^ i) l)) j = true <-> In j l.
Proof.
  induction l as [|i l IH]; intros D j.
  - rewrite Nat.bits_0. simpl. intuition congruence.
  - inversion_clear D as [|? ? Ni Dl]. specialize (IH Dl).
    change (list_sum (map (fun i => 2 ^ i) (i :: l)))
      with (2 ^ i + list_sum (map (fun i => 2 ^ i) l)).
    set (s := list_sum (map (fun i => 2 ^ i) l)) in *.
    rewrite Nat.add_nocarry_lxor.
    + rewrite Nat.lxor_spec, Nat.pow2_bits_eqb. simpl. rewrite <- IH.
      destruct (Nat.eqb_spec i j) as [->|ne].
      * destruct (Nat.testbit s j) eqn:B; [|tauto]. apply IH in B. contradiction.
      * destruct (Nat.testbit s j); intuition congruence.
    + apply Nat.bits_inj_0. intros m. rewrite Nat.land_spec, Nat.pow2_bits_eqb.
      destruct (Nat.eqb_spec i m) as [->|ne]; [|reflexivity].
      destruct (Nat.testbit s m) eqn:B; [|reflexivity]. apply IH in B. contradiction.
Qed.

Lemma odd_powers :
  (exists l, NoDup l /\ (forall i, In i l -> Nat.odd i = true) /\
     T = list_sum (map (fun i => 2 ^ i) l)) <->
  forall i, Nat.even i = true -> Nat.testbit T i = false.
Proof.
  split.
  - intros (l & D & odds & e) i Ev. destruct (Nat.testbit T i) eqn:B; [exfalso|reflexivity].
    rewrite e in B. apply (sum_of_powers l D), odds in B. rewrite <- Nat.negb_even, Ev in B.
    discriminate.
  - intros none. set (l := filter (Nat.testbit T) (seq 0 (S (Nat.log2 T)))).
    assert (D : NoDup l) by (apply NoDup_filter, seq_NoDup).
    exists l. split; [exact D|]. split.
    + intros i I. apply filter_In in I as [_ B]. rewrite <- Nat.negb_even.
      destruct (Nat.even i) eqn:Ev; [|reflexivity]. now rewrite none in B.
    + apply Nat.bits_inj. intros j. pose proof (sum_of_powers l D j) as S.
      assert (I : In j l <-> Nat.testbit T j = true).
      { unfold l. rewrite filter_In, in_seq. split; [tauto|]. intros B; split; [|exact B].
        destruct (le_lt_dec j (Nat.log2 T)) as [le|lt]; [lia|].
        now rewrite Nat.bits_above_log2 in B. }
      destruct (Nat.testbit T j), (Nat.testbit _ j); intuition congruence.
Qed.

Theorem first_player_wins_from_one :
  (exists m, wins_within race first m (going_on first 1)) <->
  exists l, NoDup l /\ (forall i, In i l -> Nat.odd i = true) /\
    T = list_sum (map (fun i => 2 ^ i) l).
Proof.
  rewrite odd_powers.
  pose proof (race_value first 1 ltac:(lia)) as V. unfold closed_verdict in V.
  replace (layer 1) with (Nat.log2 T) in V by (unfold layer; now rewrite Nat.div_1_r).
  cbv zeta in V. simpl Nat.odd in V at 2.
  assert (highest : Nat.testbit T (Nat.log2 T) = true) by (apply Nat.bit_log2; lia).
  destruct (Nat.ltb_spec (Nat.log2 T) first_odd_layer) as [lt|ge].
  - assert (none : forall i, Nat.even i = true -> Nat.testbit T i = false).
    { intros i Ev. destruct (le_lt_dec i (Nat.log2 T)) as [le|far].
      - apply below_first; [lia|exact Ev].
      - now apply Nat.bits_above_log2. }
    assert (Od : Nat.odd (Nat.log2 T) = true).
    { rewrite <- Nat.negb_even. destruct (Nat.even (Nat.log2 T)) eqn:Ev; [|reflexivity].
      now rewrite none in highest. }
    rewrite Od in V. destruct V as [W _]. split; [auto|eauto].
  - destruct (Nat.leb_spec first_odd_layer (Nat.log2 T)) as [le|]; [|lia].
    destruct at_first as [Ev B]; [lia|]. destruct V as [L _]. split.
    + intros [m W]. exfalso. exact (not_both_win race _ first m _ W L).
    + intros none. now rewrite none in B.
Qed.

End Race.

(** The default settings: the second player wins, in 14 and in 30 moves. *)
Theorem operation_duel : value (race 20) (going_on first 1) (Loss 14).
Proof. apply (race_value 20 ltac:(lia) first 1). lia. Qed.

Theorem double_or_add : value (race 31) (going_on first 1) (Loss 30).
Proof. apply (race_value 31 ltac:(lia) first 1). lia. Qed.
