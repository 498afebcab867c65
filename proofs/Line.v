(** Divisor Line with the goal `pair`, from size 6 on (smaller sizes are not offered).

    What is modelled. The numbers from 1 to the size; the players take turns to claim a free one;
    whoever then holds at least three numbers, some one of which divides a different one, has won.
    That is `games/divisor_line/rules.py` with the goal `pair`; the marks are kept here as those of the
    mover and those of the other player.

    What is proved. The verdict and the distance of every position that can be reached are those of
    [verdict_of] ([line_value]): by how many numbers are held, while the opponent holds fewer than
    two, and by the winning claims of both after that. So the first player wins in five, by any
    opening ([first_player_wins], [any_opening]). *)

From Coq Require Import List Arith Lia Bool.
From Numduel Require Import Divisors Game.
Import ListNotations.

Record line := { mine : list nat; theirs : list nat; turn : seat; won : bool }.

(** Some number divides a different one. *)
Definition relation (l : list nat) : bool := existsb (fun a => existsb (related a) l) l.

Definition completes (held : list nat) (n : nat) : bool :=
  (2 <=? length held) && relation (n :: held).

Section Pair.

Variable size : nat.
Hypothesis large : 6 <= size.

Definition free (mine theirs : list nat) : list nat :=
  filter (fun n => negb (has n (mine ++ theirs))) (seq 1 size).

Definition claim (p : line) (n : nat) : line := {|
  mine := theirs p;
  theirs := n :: mine p;
  turn := other (turn p);
  won := completes (mine p) n
|}.

Definition line_game : game := {|
  position := line;
  mover := turn;
  moves p := if won p then [] else map (claim p) (free (mine p) (theirs p));
  outcome p := if won p then Some (Some (other (turn p))) else None
|}.

Definition start : line := {| mine := []; theirs := []; turn := first; won := false |}.

(** The free numbers with which the holder of [held] would win. *)
Definition claims (held mine theirs : list nat) : list nat :=
  filter (completes held) (free mine theirs).

Definition verdict_of (mine theirs : list nat) : verdict :=
  if length theirs <? 2 then
    match length mine + length theirs with 0 => Win 5 | 1 => Loss 4 | _ => Win 3 end
  else if 1 <=? length (claims mine mine theirs) then Win 1
  else if 2 <=? length (claims theirs mine theirs) then Loss 2
  else Win 3.

Definition label (p : line) : verdict := if won p then Loss 0 else verdict_of (mine p) (theirs p).

(** What is needed of positions that can be reached: no number is held twice by a player, the
    players took turns, and nobody has won before. *)
Definition unrelated (l : list nat) := 3 <= length l -> relation l = false.

Definition reachable (m t : list nat) :=
  NoDup m /\ NoDup t /\ length m <= length t <= S (length m) /\ unrelated m /\ unrelated t.

Definition inside (p : line) := won p = true \/ reachable (mine p) (theirs p).

(** * Relations and claims *)

Lemma relation_of l a b : In a l -> In b l -> related a b = true -> relation l = true.
Proof.
  intros A B R. apply existsb_exists. exists a. split; [exact A|].
  apply existsb_exists. eauto.
Qed.

Lemma relation_one l a : In 1 l -> In a l -> a <> 1 -> relation l = true.
Proof. intros O A ne. apply (relation_of l 1 a); auto using one_related. Qed.

Lemma relation_more l n : relation l = true -> relation (n :: l) = true.
Proof.
  intros R. apply existsb_exists in R as (a & A & R). apply existsb_exists in R as (b & B & R).
  apply (relation_of _ a b); simpl; auto.
Qed.

Lemma another (l : list nat) : NoDup l -> 2 <= length l -> forall x, exists a, In a l /\ a <> x.
Proof.
  destruct l as [|a [|b l]]; simpl; intros D L x; try lia.
  inversion_clear D as [|? ? Na _].
  destruct (Nat.eq_dec a x) as [->|ne]; [|exists a; auto].
  exists b. split; [auto|]. intros ->. apply Na. now left.
Qed.

Lemma two_in (l : list nat) a b : In a l -> In b l -> a <> b -> 2 <= length l.
Proof.
  intros A B ne. apply (NoDup_incl_length (l := [a; b])).
  - constructor; [|repeat constructor; auto]. intros [e|[]]. congruence.
  - intros x [<-|[<-|[]]]; assumption.
Qed.

Lemma in_free m t n : In n (free m t) <-> 1 <= n <= size /\ ~ In n m /\ ~ In n t.
Proof.
  unfold free. rewrite filter_In, in_seq, negb_true_iff.
  destruct (has_spec n (m ++ t)) as [I|I]; rewrite in_app_iff in I; intuition (try congruence; lia).
Qed.

Lemma free_NoDup m t : NoDup (free m t).
Proof. apply NoDup_filter, seq_NoDup. Qed.

Lemma free_after m t n x : In x (free t (n :: m)) <-> In x (free m t) /\ x <> n.
Proof. rewrite !in_free. simpl. intuition congruence. Qed.

Lemma free_many m t : size <= length (free m t) + length m + length t.
Proof.
  rewrite <- (seq_length size 1) at 1.
  replace (length (free m t) + length m + length t) with (length (free m t ++ m ++ t))
    by (rewrite !app_length; lia).
  apply NoDup_incl_length; [apply seq_NoDup|].
  intros x X. apply in_seq in X. rewrite !in_app_iff.
  destruct (in_dec Nat.eq_dec x m); [auto|]. destruct (in_dec Nat.eq_dec x t); [auto|].
  left. apply in_free. split; [lia|auto].
Qed.

Lemma in_claims h m t n : In n (claims h m t) <-> In n (free m t) /\ completes h n = true.
Proof. apply filter_In. Qed.

Lemma completes_iff h n : completes h n = true <-> 2 <= length h /\ relation (n :: h) = true.
Proof. unfold completes. now rewrite andb_true_iff, Nat.leb_le. Qed.

(** Whoever holds two related numbers wins with any third. *)
Lemma all_claims h m t : 2 <= length h -> relation h = true -> claims h m t = free m t.
Proof.
  intros L R. unfold claims.
  assert (all : forall n, completes h n = true).
  { intros n. apply completes_iff. split; [exact L|]. now apply relation_more. }
  induction (free m t) as [|n l IH]; simpl; [reflexivity|]. now rewrite all, IH.
Qed.

Lemma some_claim h m t n : In n (claims h m t) -> 1 <= length (claims h m t).
Proof. destruct (claims h m t); simpl; [contradiction|lia]. Qed.

Lemma no_claims_short h m t : length h < 2 -> claims h m t = [].
Proof.
  intros L. destruct (claims h m t) as [|n l] eqn:E; [reflexivity|].
  assert (I : In n (claims h m t)) by (rewrite E; now left).
  apply in_claims in I as [_ C]. apply completes_iff in C. lia.
Qed.

(** * The labels agree *)

Definition worth (m t : list nat) (n : nat) : verdict :=
  if completes m n then Win 1 else before false (verdict_of t (n :: m)).

Lemma seen_worth p n : seen line_game label p (claim p n) = worth (mine p) (theirs p) n.
Proof.
  unfold seen, label, worth. simpl.
  replace (same (other (turn p)) (turn p)) with false by now destruct (turn p).
  now destruct (completes (mine p) n).
Qed.

Lemma reachable_after m t n : reachable m t -> In n (free m t) -> completes m n = false ->
  reachable t (n :: m).
Proof.
  intros (Dm & Dt & L & Um & Ut) F C. apply in_free in F as (_ & Nm & Nt).
  repeat split; simpl; auto; try lia; [now constructor|].
  intros L3. simpl in L3. destruct (relation (n :: m)) eqn:R; [|reflexivity].
  unfold completes in C. rewrite R, andb_true_r in C. apply Nat.leb_gt in C. lia.
Qed.

Definition agrees_by_claims (m t : list nat) :=
  match verdict_of m t with
  | Win d =>
      (exists n, In n (free m t) /\ worth m t n = Win d) /\
      forall n e, In n (free m t) -> worth m t n = Win e -> d <= e
  | Loss d =>
      (exists n, In n (free m t)) /\ forall n, In n (free m t) -> worth m t n = Loss d
  | _ => False
  end.

Lemma worth_late m t n : 1 <= length m -> completes m n = false ->
  worth m t n =
    if 1 <=? length (claims t t (n :: m)) then Loss 2
    else if 2 <=? length (claims (n :: m) t (n :: m)) then Win 3 else Loss 4.
Proof.
  intros L C. unfold worth, verdict_of. rewrite C.
  replace (length (n :: m) <? 2) with false by (symmetry; apply Nat.ltb_ge; simpl; lia).
  destruct (1 <=? _); [reflexivity|]. now destruct (2 <=? _).
Qed.

(** A move after which the opponent has no claim and faces two wins in three. *)
Lemma double_threat m t n : 1 <= length m -> completes m n = false ->
  claims t t (n :: m) = [] -> 2 <= length (claims (n :: m) t (n :: m)) -> worth m t n = Win 3.
Proof.
  intros L C none two. rewrite (worth_late m t n L C), none.
  apply Nat.leb_le in two. now rewrite two.
Qed.

(** Two related numbers, and two more that are free, make two claims. *)
Lemma two_claims m t n : 1 <= length m <= 3 -> relation (n :: m) = true ->
  length m + length t <= 3 -> 2 <= length (claims (n :: m) t (n :: m)).
Proof.
  intros L R few. rewrite all_claims; [|simpl; lia|exact R].
  pose proof (free_many t (n :: m)) as F. simpl in F. lia.
Qed.

(** ** The opponent holds fewer than two *)

Lemma worth_early m t n : length m < 2 -> worth m t n = before false (verdict_of t (n :: m)).
Proof.
  intros L. unfold worth, completes. now replace (2 <=? length m) with false
    by (symmetry; apply Nat.leb_gt; lia).
Qed.

Lemma some_free m t : length m + length t < size -> exists n, In n (free m t).
Proof.
  intros L. pose proof (free_many m t) as F. destruct (free m t) as [|n l]; [simpl in F; lia|].
  exists n. now left.
Qed.

(** Each of the two players holds one number: the mover can make two claims. *)
Lemma one_each a c : exists n, In n (free [a] [c]) /\
  2 <= length (claims [n; a] [c] [n; a]).
Proof.
  assert (pair : forall n, In n (free [a] [c]) -> relation [n; a] = true ->
    exists n, In n (free [a] [c]) /\ 2 <= length (claims [n; a] [c] [n; a])).
  { intros n F R. exists n. split; [exact F|]. apply two_claims; simpl; auto; lia. }
  destruct (Nat.eq_dec a 1) as [->|a1].
  { destruct (some_free [1] [c]) as [n F]; [simpl; lia|]. apply (pair n F).
    apply in_free in F as (_ & N & _). apply (relation_one _ n); simpl in *; auto. }
  destruct (Nat.eq_dec c 1) as [->|c1].
  2:{ apply (pair 1); [apply in_free; simpl; lia|]. apply (relation_one _ a); simpl; auto. }
  destruct (Nat.eq_dec a 2) as [->|a2].
  { apply (pair 4); [apply in_free; simpl; lia|reflexivity]. }
  assert (F : In 2 (free [a] [1])) by (apply in_free; simpl; lia).
  destruct (Nat.Even_or_Odd a) as [[k ->]|[k ->]].
  - apply (pair 2 F).
    apply (relation_of _ 2 (2 * k)); [now left|right; now left|apply related_multiple; lia].
  - exists 2. split; [exact F|].
    assert (claimed : forall k', k' = 2 \/ k' = 3 ->
      In (2 * k') (claims [2; 2 * k + 1] [1] [2; 2 * k + 1])).
    { intros k' K. apply in_claims. split; [apply in_free; simpl; lia|].
      apply completes_iff. split; [simpl; lia|].
      apply (relation_of _ 2 (2 * k')); [right; now left|now left|apply related_multiple; lia]. }
    apply (two_in _ 4 6); [apply (claimed 2)|apply (claimed 3)|]; auto; lia.
Qed.

Lemma early_agrees m t : reachable m t -> length t < 2 -> agrees_by_claims m t.
Proof.
  intros (_ & _ & L & _) T. unfold agrees_by_claims.
  replace (verdict_of m t) with
    (match length m + length t with 0 => Win 5 | 1 => Loss 4 | _ => Win 3 end)
    by (unfold verdict_of; apply Nat.ltb_lt in T; now rewrite T).
  destruct m as [|a [|a' m]], t as [|c [|c' t]]; simpl in L, T; try lia; simpl length; cbn [plus].
  - (* the start *)
    assert (all : forall n, worth [] [] n = Win 5)
      by (intros n; now rewrite worth_early by (simpl; lia)).
    destruct (some_free [] []) as [n F]; [simpl; lia|].
    split; [exists n; auto|]. intros n' e _. rewrite all. intros E; injection E as <-; lia.
  - (* the opponent has opened *)
    destruct (some_free [] [c]) as [n F]; [simpl; lia|]. split; [eauto|].
    intros n' _. now rewrite worth_early by (simpl; lia).
  - (* one number each *)
    assert (late : forall n, worth [a] [c] n =
      if 2 <=? length (claims [n; a] [c] [n; a]) then Win 3 else Loss 4).
    { intros n. rewrite worth_late; [|simpl; lia|reflexivity].
      now rewrite (no_claims_short [c]) by (simpl; lia). }
    destruct (one_each a c) as (n & F & two). apply Nat.leb_le in two. split.
    + exists n. split; [exact F|]. now rewrite late, two.
    + intros n' e _ E. rewrite late in E.
      destruct (2 <=? length (claims [n'; a] [c] [n'; a])); [injection E as <-; lia|discriminate].
Qed.

(** ** The opponent holds two or more *)

(** No claim of the mover's, at most one of the opponent's: there is a move that makes two. *)
Lemma late_win m t : reachable m t -> 2 <= length t ->
  claims m m t = [] -> length (claims t m t) <= 1 ->
  exists n, In n (free m t) /\ claims t t (n :: m) = [] /\
    2 <= length (claims (n :: m) t (n :: m)).
Proof.
  intros (Dm & Dt & L & Um & Ut) T none few.
  assert (no_claim : forall n, In n (free m t) -> completes m n = true -> False).
  { intros n F C. assert (I : In n (claims m m t)) by now apply in_claims.
    now rewrite none in I. }
  assert (not_theirs : ~ In 1 t).
  { intros I. destruct (another t Dt T 1) as (x & X & ne).
    assert (R : relation t = true) by (apply (relation_one t x); auto).
    assert (length t = 2).
    { destruct (le_lt_dec 3 (length t)) as [big|]; [|lia]. rewrite Ut in R by exact big.
      discriminate. }
    rewrite all_claims in few by assumption. pose proof (free_many m t). lia. }
  assert (length m = 1) as m1.
  { destruct (le_lt_dec 2 (length m)) as [M|]; [exfalso|lia].
    destruct (another m Dm M 1) as (x & X & ne).
    destruct (in_dec Nat.eq_dec 1 m) as [I|I].
    - assert (R : relation m = true) by (apply (relation_one m x); auto).
      assert (length m = 2).
      { destruct (le_lt_dec 3 (length m)) as [big|]; [|lia]. rewrite Um in R by exact big.
        discriminate. }
      destruct (some_free m t) as [n F]; [lia|]. apply (no_claim n F), completes_iff.
      split; [exact M|]. now apply relation_more.
    - apply (no_claim 1); [apply in_free; repeat split; auto; lia|]. apply completes_iff.
      split; [exact M|]. apply (relation_one _ x); simpl; auto. }
  assert (length t = 2) as t2 by lia.
  destruct m as [|a [|? ?]]; try discriminate. clear m1.
  (* it is enough to hold 1 and to take the opponent's only claim *)
  assert (enough : forall n, In n (free [a] t) -> n = 1 \/ a = 1 ->
    (forall x, In x (claims t [a] t) -> x = n) ->
    exists n, In n (free [a] t) /\ claims t t [n; a] = [] /\
      2 <= length (claims [n; a] t [n; a])).
  { intros n F one only. exists n. split; [exact F|]. split.
    - destruct (claims t t [n; a]) as [|x l] eqn:E; [reflexivity|exfalso].
      assert (I : In x (claims t t [n; a])) by (rewrite E; now left).
      apply in_claims in I as [I C]. apply free_after in I as [I ne].
      apply ne, only, in_claims. auto.
    - apply in_free in F as (_ & N & _). simpl in N.
      apply two_claims; [simpl; lia| |simpl; lia].
      destruct one as [->| ->].
      + apply (relation_one _ a); simpl; auto.
      + apply (relation_one _ n); simpl; auto. }
  destruct (Nat.eq_dec a 1) as [->|ne].
  - destruct (claims t [1] t) as [|c [|? ?]] eqn:E; [| |simpl in few; lia].
    + destruct (some_free [1] t) as [n F]; [simpl; lia|].
      apply (enough n F); [auto|]. intros x [].
    + assert (I : In c (claims t [1] t)) by (rewrite E; now left).
      apply in_claims in I as [F _]. apply (enough c F); [auto|]. intros x [<-|[]]; reflexivity.
  - assert (F : In 1 (free [a] t)) by (apply in_free; simpl; repeat split; auto; lia).
    apply (enough 1 F); [auto|]. intros x X.
    destruct (Nat.eq_dec x 1) as [e|nx]; [exact e|exfalso].
    destruct (another t Dt T 1) as (y & Y & ny).
    assert (I : In 1 (claims t [a] t)).
    { apply in_claims. split; [exact F|]. apply completes_iff. split; [exact T|].
      apply (relation_one _ y); simpl; auto. }
    pose proof (two_in _ x 1 X I nx). lia.
Qed.

Lemma late_agrees m t : reachable m t -> 2 <= length t -> agrees_by_claims m t.
Proof.
  intros R T. assert (1 <= length m) as M by (destruct R as (_ & _ & L & _); lia).
  unfold agrees_by_claims.
  replace (verdict_of m t) with
    (if 1 <=? length (claims m m t) then Win 1
     else if 2 <=? length (claims t m t) then Loss 2 else Win 3)
    by (unfold verdict_of; now replace (length t <? 2) with false
          by (symmetry; apply Nat.ltb_ge; lia)).
  destruct (Nat.leb_spec 1 (length (claims m m t))) as [some|none].
  { destruct (claims m m t) as [|n l] eqn:E; [simpl in some; lia|].
    assert (I : In n (claims m m t)) by (rewrite E; now left).
    apply in_claims in I as [F C].
    split; [exists n; split; [exact F|]; unfold worth; now rewrite C|].
    intros n' e _. unfold worth. destruct (completes m n'); [intros W; injection W as <-; lia|].
    destruct (verdict_of t (n' :: m)); simpl; intros W; try discriminate; injection W as <-; lia. }
  assert (claims m m t = []) as none'
    by (destruct (claims m m t); [reflexivity|simpl in none; lia]).
  assert (incomplete : forall n, In n (free m t) -> completes m n = false).
  { intros n F. destruct (completes m n) eqn:C; [exfalso|reflexivity].
    assert (I : In n (claims m m t)) by now apply in_claims. now rewrite none' in I. }
  destruct (Nat.leb_spec 2 (length (claims t m t))) as [two|few].
  - assert (D : NoDup (claims t m t)) by apply NoDup_filter, free_NoDup.
    split.
    { destruct (another _ D two 0) as (n & I & _). apply in_claims in I as [F _]. eauto. }
    intros n F. rewrite worth_late by auto.
    destruct (another _ D two n) as (x & I & ne). apply in_claims in I as [Fx C].
    assert (I : In x (claims t t (n :: m))) by (apply in_claims; split; [|exact C];
      apply free_after; auto).
    apply some_claim, Nat.leb_le in I. now rewrite I.
  - destruct (late_win m t R T none') as (n & F & gone & two); [lia|]. split.
    + exists n. split; [exact F|]. apply double_threat; auto.
    + intros n' e F' W. rewrite worth_late in W by auto.
      destruct (1 <=? length (claims t t (n' :: m))); [discriminate|].
      destruct (2 <=? length (claims (n' :: m) t (n' :: m))); [injection W as <-; lia|discriminate].
Qed.

(** * The theorem *)

Theorem line_value p : won p = false -> reachable (mine p) (theirs p) ->
  value line_game p (verdict_of (mine p) (theirs p)).
Proof.
  intros W R. replace (verdict_of (mine p) (theirs p)) with (label p)
    by (unfold label; now rewrite W).
  apply (labels_are_the_value line_game inside label (fun _ _ => None)); [|now right].
  clear p W R. intros p I. unfold agrees. simpl outcome.
  destruct (won p) eqn:W.
  { unfold label. rewrite W. simpl. now destruct (turn p). }
  destruct I as [I|R]; [congruence|].
  assert (lead : moves line_game p = map (claim p) (free (mine p) (theirs p)))
    by (cbn [moves line_game]; now rewrite W).
  split.
  { intros q Q. rewrite lead in Q. apply in_map_iff in Q as (n & <- & F). unfold inside. simpl.
    destruct (completes (mine p) n) eqn:C; [now left|right]. now apply reachable_after. }
  assert (A : agrees_by_claims (mine p) (theirs p)).
  { destruct (le_lt_dec 2 (length (theirs p))); [now apply late_agrees|now apply early_agrees]. }
  unfold agrees_by_claims in A. unfold agrees_going_on. rewrite lead.
  replace (label p) with (verdict_of (mine p) (theirs p)) by (unfold label; now rewrite W).
  destruct (verdict_of (mine p) (theirs p)) as [d|d|d|]; try contradiction.
  - destruct A as [(n & F & Wn) least]. split.
    + exists (claim p n). split; [now apply in_map|]. now rewrite seen_worth.
    + intros q e Q. apply in_map_iff in Q as (n' & <- & F'). rewrite seen_worth. eauto.
  - destruct A as [(n & F) all]. split.
    + exists (claim p n). split; [now apply in_map|]. rewrite seen_worth. auto.
    + intros q Q. apply in_map_iff in Q as (n' & <- & F'). rewrite seen_worth. exists d. auto.
Qed.

Theorem first_player_wins : value line_game start (Win 5).
Proof.
  apply (line_value start); [reflexivity|].
  repeat split; simpl; try lia; try constructor; intros L; simpl in L; lia.
Qed.

Theorem any_opening n : value line_game (claim start n) (Loss 4).
Proof.
  apply (line_value (claim start n)); [reflexivity|].
  repeat split; simpl; try lia; repeat constructor; auto; intros L; simpl in L; lia.
Qed.

End Pair.
