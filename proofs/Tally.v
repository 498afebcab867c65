(** The tally games: one shared number and a menu of operations.

    What is modelled. The mover applies an operation of the menu: adds, subtracts or multiplies by a
    number. A result below 1 is not a move, and a player with no move has lost. A move above the
    ceiling, if there is one, loses; otherwise a move to a multiple of the goal wins; otherwise the
    other player moves. A start may be anything from 1. That is `games/tally/rules.py`; a race has
    goal and ceiling equal to the target, Divisor Duel has the divisor as its goal.

    What is proved. Labels of the numbers that agree with those one move on are the values
    ([tally_value]): [Game.labels_are_the_value] in terms of numbers, for games without draws. *)

From Coq Require Import List Arith Lia Bool.
From Numduel Require Import Game.
Import ListNotations.

Inductive operation := add (k : nat) | subtract (k : nat) | multiply (k : nat).

Definition apply (o : operation) (n : nat) : nat :=
  match o with add k => n + k | subtract k => n - k | multiply k => k * n end.

Definition results (menu : list operation) (n : nat) : list nat :=
  filter (fun r => 1 <=? r) (map (fun o => apply o n) menu).

Inductive ending := overshot | success.

Record tally := { number : nat; turn : seat; ended : option ending }.

Definition going_on (s : seat) (n : nat) : tally := {| number := n; turn := s; ended := None |}.

Section Rules.

Variables (menu : list operation) (goal : nat) (ceiling : option nat).

Definition past (n : nat) : bool := match ceiling with Some c => c <? n | None => false end.

Definition after (p : tally) (n : nat) : tally := {|
  number := n;
  turn := other (turn p);
  ended := if past n then Some overshot else if n mod goal =? 0 then Some success else None
|}.

Definition tally_game : game := {|
  position := tally;
  mover := turn;
  moves p := match ended p with None => map (after p) (results menu (number p)) | Some _ => [] end;
  outcome p :=
    match ended p with
    | None =>
        match results menu (number p) with [] => Some (Some (other (turn p))) | _ => None end
    | Some overshot => Some (Some (turn p))
    | Some success => Some (Some (other (turn p)))
    end
|}.

Variable inside : nat -> Prop.
Variable label : nat -> verdict.

(** What a move to [n] is worth to whoever makes it. *)
Definition worth (n : nat) : verdict :=
  if past n then Loss 1 else if n mod goal =? 0 then Win 1 else before false (label n).

Definition number_agrees (n : nat) :=
  match label n with
  | Win d =>
      (exists r, In r (results menu n) /\ worth r = Win d) /\
      forall r e, In r (results menu n) -> worth r = Win e -> d <= e
  | Loss d =>
      (results menu n = [] /\ d = 0 \/ exists r, In r (results menu n) /\ worth r = Loss d) /\
      forall r, In r (results menu n) -> exists e, worth r = Loss e /\ e <= d
  | Draw _ => False
  | Endless =>
      (forall r e, In r (results menu n) -> worth r <> Win e) /\
      exists r, In r (results menu n) /\ worth r = Endless
  end.

Hypothesis closed : forall n r,
  inside n -> In r (results menu n) -> past r = false -> r mod goal <> 0 -> inside r.
Hypothesis all_agree : forall n, inside n -> number_agrees n.

Let label_of (p : tally) : verdict :=
  match ended p with
  | None => label (number p)
  | Some overshot => Win 0
  | Some success => Loss 0
  end.

Lemma seen_worth p r : seen tally_game label_of p (after p r) = worth r.
Proof.
  unfold seen, label_of, worth, after; simpl.
  replace (same (other (turn p)) (turn p)) with false by now destruct (turn p).
  destruct (past r); [reflexivity|]. now destruct (r mod goal =? 0).
Qed.

Theorem tally_value s n : inside n -> value tally_game (going_on s n) (label n).
Proof.
  intros I.
  apply (labels_are_the_value tally_game
    (fun p => match ended p with None => inside (number p) | Some _ => True end)
    label_of (fun _ _ => None)); [clear s n I|exact I].
  intros p I. unfold agrees. cbn [outcome tally_game].
  destruct (ended p) as [[|]|] eqn:E.
  - unfold label_of. rewrite E. simpl. now destruct (turn p).
  - unfold label_of. rewrite E. simpl. now destruct (turn p).
  - assert (lead : moves tally_game p = map (after p) (results menu (number p)))
      by (cbn [moves tally_game]; now rewrite E).
    assert (to : forall q, In q (moves tally_game p) ->
      exists r, q = after p r /\ In r (results menu (number p))).
    { intros q Q. rewrite lead in Q. apply in_map_iff in Q as (r & <- & R). eauto. }
    assert (of : forall r, In r (results menu (number p)) -> In (after p r) (moves tally_game p)).
    { intros r R. rewrite lead. now apply in_map. }
    assert (still_open : forall r,
      worth r = Endless -> open tally_game label_of (after p r) = true).
    { intros r. rewrite <- (seen_worth p). unfold seen, open.
      set (b := same _ _). destruct (label_of (after p r)), b; simpl; congruence. }
    pose proof (all_agree _ I) as A. unfold number_agrees in A.
    destruct (results menu (number p)) as [|r0 l] eqn:Rs.
    { (* stuck *)
      replace (label_of p) with (label (number p)) by (unfold label_of; now rewrite E).
      replace (same (mover tally_game p) (other (turn p))) with false
        by (cbn [mover tally_game]; now destruct (turn p)).
      destruct (label (number p)) as [d|d|d|]; try (exfalso; firstorder; fail).
      destruct A as [[[_ ->]|(r & [] & _)] _]. reflexivity. }
    assert (going : results menu (number p) <> []) by (rewrite Rs; discriminate).
    rewrite <- Rs in *. clear Rs r0 l.
    split.
    { intros q Q. destruct (to q Q) as (r & -> & R). unfold after; simpl.
      destruct (past r) eqn:P; [exact Logic.I|].
      destruct (r mod goal =? 0) eqn:M; [exact Logic.I|].
      apply Nat.eqb_neq in M. exact (closed (number p) r I R P M). }
    unfold agrees_going_on. replace (label_of p) with (label (number p))
      by (unfold label_of; now rewrite E).
    destruct (label (number p)) as [d|d|d|]; [| |contradiction|].
    + destruct A as [(r & R & W) A]. split.
      * exists (after p r). rewrite seen_worth. auto.
      * intros q e Q. destruct (to q Q) as (r' & -> & R'). rewrite seen_worth. eauto.
    + destruct A as [[[none _]|(r & R & W)] A]; [now rewrite none in going|]. split.
      * exists (after p r). rewrite seen_worth. auto.
      * intros q Q. destruct (to q Q) as (r' & -> & R'). rewrite seen_worth. auto.
    + destruct A as [A (r & R & W)]. split; [split|split].
      * intros q e Q. destruct (to q Q) as (r' & -> & R'). rewrite seen_worth. auto.
      * exists (after p r). auto.
      * intros s. unfold rank_agrees. destruct (same _ _); [auto|].
        exists (after p r). auto.
      * now exists first.
Qed.

End Rules.

(** * Adding one and doubling *)

Definition usual : list operation := [add 1; multiply 2].

Lemma usual_results n : 1 <= n -> results usual n = [n + 1; 2 * n].
Proof.
  intros H. unfold results, usual. cbn [map apply filter].
  replace (1 <=? n + 1) with true by (symmetry; apply Nat.leb_le; lia).
  now replace (1 <=? 2 * n) with true by (symmetry; apply Nat.leb_le; lia).
Qed.

(** Agreement, of the worths of the two moves. *)
Lemma agrees_by goal ceiling label n a b : 1 <= n ->
  worth goal ceiling label (n + 1) = a -> worth goal ceiling label (2 * n) = b ->
  match label n with
  | Win d => (a = Win d \/ b = Win d) /\ forall e, a = Win e \/ b = Win e -> d <= e
  | Loss d =>
      (a = Loss d \/ b = Loss d) /\ exists e e', a = Loss e /\ b = Loss e' /\ e <= d /\ e' <= d
  | Draw _ => False
  | Endless => (forall e, a <> Win e /\ b <> Win e) /\ (a = Endless \/ b = Endless)
  end -> number_agrees usual goal ceiling label n.
Proof.
  intros H <- <-. unfold number_agrees. rewrite usual_results by exact H.
  destruct (label n) as [d|d|d|]; [| |auto|].
  - intros [W least]; split.
    + destruct W as [W|W]; eexists; (split; [|exact W]); [left|right; left]; reflexivity.
    + intros r e [<-|[<-|[]]] w; apply least; auto.
  - intros [L (e & e' & A & B & le & le')]; split.
    + right. destruct L as [L|L]; eexists; (split; [|exact L]); [left|right; left]; reflexivity.
    + intros r [<-|[<-|[]]]; eauto.
  - intros [no L]; split.
    + intros r e [<-|[<-|[]]]; apply no.
    + destruct L as [L|L]; eexists; (split; [|exact L]); [left|right; left]; reflexivity.
Qed.
