(** Any game: labels that agree with their neighbours are the value of the game.

    What is modelled. Two seats; a position has a mover, a list of the positions that its moves lead
    to, and an outcome where the game is over: the seat that won, or nobody (a draw). Players need
    not take turns, and play may go round in circles for ever. The positions may be infinitely
    many, each with finitely many moves.

    What is proved. Give each position a label: win, loss or draw with a distance, or endless; and
    to each that is drawn or endless, for each seat, the round (the rank) in which that seat can be
    found to force an end, if it ever is. If every label agrees with those one move on ([agrees]),
    then each label is the value of its position ([labels_are_the_value]), and a position has but
    one value ([one_value]). The labels of `solver/reference.py` are made so that they agree; that
    the Python program makes them so is tested, not proved here. *)

From Coq Require Import List Arith Lia Bool.
Import ListNotations.

Inductive seat := first | second.

Definition other (s : seat) : seat :=
  match s with first => second | second => first end.

Definition same (s t : seat) : bool :=
  match s, t with first, first | second, second => true | _, _ => false end.

Lemma same_spec s t : reflect (s = t) (same s t).
Proof. destruct s, t; constructor; congruence. Qed.

Lemma other_other s : other (other s) = s.
Proof. now destruct s. Qed.

Lemma other_differs s : other s <> s.
Proof. now destruct s. Qed.

Lemma not_same s t : s <> t -> s = other t.
Proof. now destruct s, t. Qed.

(** A verdict, for the mover. *)
Inductive verdict := Win (distance : nat) | Loss (distance : nat) | Draw (distance : nat) | Endless.

(** The verdict one move earlier, for whoever made that move. *)
Definition before (same_mover : bool) (v : verdict) : verdict :=
  match v, same_mover with
  | Win d, true | Loss d, false => Win (S d)
  | Loss d, true | Win d, false => Loss (S d)
  | Draw d, _ => Draw (S d)
  | Endless, _ => Endless
  end.

Record game := {
  position : Type;
  mover : position -> seat;
  moves : position -> list position;
  outcome : position -> option (option seat)  (* over, and who has won, if anybody *)
}.

Section AnyGame.

Variable G : game.
Notation pos := (position G).

(** * What a position is worth *)

(** Seat [s] can force, within [n] moves, an end whose result is [good]. *)
Inductive forces (good : option seat -> Prop) (s : seat) : nat -> pos -> Prop :=
| over n p r : outcome G p = Some r -> good r -> forces good s n p
| by_a_move n p q :
    outcome G p = None -> mover G p = s -> In q (moves G p) -> forces good s n q ->
    forces good s (S n) p
| by_every_move n p :
    outcome G p = None -> mover G p <> s -> moves G p <> [] ->
    (forall q, In q (moves G p) -> forces good s n q) -> forces good s (S n) p.

Definition wins_within (s : seat) := forces (eq (Some s)) s.

(** [s] can force a win, in [n] moves when the winner hurries and the loser delays. *)
Definition wins_in (s : seat) (n : nat) (p : pos) :=
  wins_within s n p /\ forall m, wins_within s m p -> n <= m.

(** The positions that can come up from [p] while [s] plays by [plan], whatever the other does. *)
Inductive comes (s : seat) (plan : pos -> pos) (p : pos) : pos -> Prop :=
| here : comes s plan p p
| planned q : comes s plan p q -> outcome G q = None -> mover G q = s -> comes s plan p (plan q)
| answered q r :
    comes s plan p q -> outcome G q = None -> mover G q <> s -> In r (moves G q) ->
    comes s plan p r.

(** [s] has a plan of legal moves by which play goes on for ever or comes to a [good] end. *)
Definition keeps (good : option seat -> Prop) (s : seat) (p : pos) :=
  exists plan, forall q, comes s plan p q ->
    match outcome G q with
    | Some r => good r
    | None => moves G q <> [] /\ (mover G q = s -> In (plan q) (moves G q))
    end.

Definition unlost (s : seat) (r : option seat) := r <> Some (other s).

(** Each seat has a plan by which it never loses; so nobody can force a win. *)
Definition undecided (p : pos) := forall s, keeps (unlost s) s p.

(** Moreover each seat can force an end that it does not lose; so nobody can go on for ever. *)
Definition drawn (p : pos) := undecided p /\ forall s, exists n, forces (unlost s) s n p.

(** An end is reached in [n] moves by way of drawn positions alone. *)
Inductive way : nat -> pos -> Prop :=
| at_end p : drawn p -> outcome G p = Some None -> way 0 p
| one_step n p q : drawn p -> outcome G p = None -> In q (moves G p) -> way n q -> way (S n) p.

Definition value (p : pos) (v : verdict) : Prop :=
  match v with
  | Win d => wins_in (mover G p) d p
  | Loss d => wins_in (other (mover G p)) d p
  | Draw d => drawn p /\ way d p /\ forall e, way e p -> d <= e
  | Endless => undecided p /\ exists s, keeps (eq (Some s)) s p
  end.

(** * What can be said of values at once *)

Lemma forces_longer good s n m p : n <= m -> forces good s n p -> forces good s m p.
Proof.
  intros le H; revert m le.
  induction H as [n p r E g | n p q E M I _ IH | n p E M N _ IH]; intros m le.
  - eapply over; eauto.
  - destruct m as [|m]; [lia|]. eapply by_a_move; eauto. apply IH; lia.
  - destruct m as [|m]; [lia|]. apply by_every_move; auto. intros q I; apply IH; [exact I|lia].
Qed.

Lemma forces_weaker (good fair : option seat -> Prop) s n p :
  (forall r, good r -> fair r) -> forces good s n p -> forces fair s n p.
Proof.
  intros weaker; induction 1; [eapply over | eapply by_a_move | apply by_every_move]; eauto.
Qed.

Lemma comes_on s plan p q r : comes s plan p q -> comes s plan q r -> comes s plan p r.
Proof.
  intros H1 H2; induction H2; [assumption | now apply planned | eapply answered; eauto].
Qed.

(** What one seat can keep from, the other cannot force. *)
Lemma kept_is_not_forced (good bad : option seat -> Prop) s n p :
  (forall r, good r -> ~ bad r) -> keeps good s p -> ~ forces bad (other s) n p.
Proof.
  intros apart [plan safe] F.
  induction F as [n p r E b | n p q E M I _ IH | n p E M N _ IH].
  - specialize (safe p (here _ _ _)); rewrite E in safe. exact (apart r safe b).
  - apply IH. intros r c; apply safe. eapply comes_on; [|exact c].
    eapply answered; eauto using here. rewrite M; apply other_differs.
  - assert (mine : mover G p = s) by (apply not_same in M; now rewrite other_other in M).
    pose proof (safe p (here _ _ _)) as H; rewrite E in H; destruct H as [_ H].
    apply (IH (plan p) (H mine)). intros r c; apply safe. eapply comes_on; [|exact c].
    apply planned; auto using here.
Qed.

Lemma undecided_not_won p s n : undecided p -> ~ wins_within s n p.
Proof.
  intros U W. apply (kept_is_not_forced (unlost (other s)) (eq (Some s)) (other s) n p).
  - intros r u e; apply u; now rewrite other_other.
  - apply U.
  - now rewrite other_other.
Qed.

(** Nor can both force what excludes each other. *)
Lemma not_both_forced (good bad : option seat -> Prop) s n m p :
  (forall r, good r -> ~ bad r) -> forces good s n p -> ~ forces bad (other s) m p.
Proof.
  intros apart W; revert m.
  induction W as [n p r E g | n p q E M I _ IH | n p E M N _ IH]; intros m V;
    inversion V as [m' p' r' E' g' | m' p' q' E' M' I' V' | m' p' E' M' N' V']; subst m p';
    try congruence.
  - apply (apart r g). congruence.
  - apply (other_differs s). congruence.
  - exact (IH m' (V' q I)).
  - exact (IH q' I' m' V').
  - now apply not_same in M.
Qed.

Lemma not_both_win p s n m : wins_within s n p -> ~ wins_within (other s) m p.
Proof.
  apply not_both_forced. intros r <- e. injection e as e. now apply (other_differs s).
Qed.

(** Whoever goes on for ever is not brought to an end; so drawn and endless exclude each other. *)
Lemma drawn_not_for_ever p s : drawn p -> ~ keeps (eq (Some s)) s p.
Proof.
  intros [_ F] K. destruct (F (other s)) as [n Fn]. revert Fn.
  apply (kept_is_not_forced (eq (Some s))); [|exact K].
  intros r <- u; apply u; now rewrite other_other.
Qed.

Theorem one_value p v w : value p v -> value p w -> v = w.
Proof.
  assert (no_two : forall s n m, wins_in s n p -> wins_in (other s) m p -> False).
  { intros s n m [W _] [V _]. exact (not_both_win p s n m W V). }
  assert (won : forall s n, wins_in s n p -> undecided p -> False).
  { intros s n [W _] U. exact (undecided_not_won p s n U W). }
  destruct v as [d|d|d|], w as [e|e|e|]; simpl; intros V W;
    try solve [exfalso; eauto].
  - destruct V as [V1 V2], W as [W1 W2]. f_equal. apply V2 in W1; apply W2 in V1; lia.
  - exfalso; destruct W; unfold drawn in *; intuition eauto.
  - exfalso; destruct W; eauto.
  - destruct V as [V1 V2], W as [W1 W2]. f_equal. apply V2 in W1; apply W2 in V1; lia.
  - exfalso; destruct W; unfold drawn in *; intuition eauto.
  - exfalso; destruct W; eauto.
  - exfalso; destruct V; unfold drawn in *; intuition eauto.
  - exfalso; destruct V; unfold drawn in *; intuition eauto.
  - destruct V as (_ & V1 & V2), W as (_ & W1 & W2). f_equal. apply V2 in W1; apply W2 in V1; lia.
  - exfalso. destruct V as [D _], W as [_ [s K]]. exact (drawn_not_for_ever p s D K).
  - exfalso; destruct V; eauto.
  - exfalso; destruct V; eauto.
  - exfalso. destruct W as [D _], V as [_ [s K]]. exact (drawn_not_for_ever p s D K).
  - reflexivity.
Qed.

(** * Labels *)

Variable inside : pos -> Prop.  (* the positions that are labelled; moves do not lead out *)
Variable label : pos -> verdict.
Variable rank : seat -> pos -> option nat.

(** What a move to [q] is worth to the mover at [p]. *)
Definition seen (p q : pos) : verdict := before (same (mover G q) (mover G p)) (label q).

Definition open (p : pos) : bool :=
  match label p with Draw _ | Endless => true | _ => false end.

(** No move wins, and some move leaves it open. *)
Definition waits (p : pos) :=
  (forall q e, In q (moves G p) -> seen p q <> Win e) /\
  exists q, In q (moves G p) /\ open q = true.

Definition rank_agrees (s : seat) (p : pos) :=
  match rank s p with
  | Some r =>
      let lower q := exists r', rank s q = Some r' /\ r' < r in
      if same (mover G p) s then exists q, In q (moves G p) /\ open q = true /\ lower q
      else forall q, In q (moves G p) -> open q = true -> lower q
  | None =>
      if same (mover G p) s then forall q, In q (moves G p) -> open q = true -> rank s q = None
      else exists q, In q (moves G p) /\ open q = true /\ rank s q = None
  end.

Definition agrees_going_on (p : pos) :=
  match label p with
  | Win d =>
      (exists q, In q (moves G p) /\ seen p q = Win d) /\
      forall q e, In q (moves G p) -> seen p q = Win e -> d <= e
  | Loss d =>
      (exists q, In q (moves G p) /\ seen p q = Loss d) /\
      forall q, In q (moves G p) -> exists e, seen p q = Loss e /\ e <= d
  | Draw d =>
      waits p /\ (forall s, rank_agrees s p /\ rank s p <> None) /\
      (exists q, In q (moves G p) /\ seen p q = Draw d) /\
      forall q e, In q (moves G p) -> seen p q = Draw e -> d <= e
  | Endless => waits p /\ (forall s, rank_agrees s p) /\ exists s, rank s p = None
  end.

Definition agrees (p : pos) :=
  match outcome G p with
  | Some (Some s) => label p = if same (mover G p) s then Win 0 else Loss 0
  | Some None => label p = Draw 0 /\ forall s, rank s p = Some 0
  | None => (forall q, In q (moves G p) -> inside q) /\ agrees_going_on p
  end.

Hypothesis all_agree : forall p, inside p -> agrees p.

(** The label says that [s] wins in [d]. *)
Definition says (s : seat) (p : pos) (d : nat) :=
  label p = if same (mover G p) s then Win d else Loss d.

Lemma says_or_open s p : open p = false -> exists d, says s p d \/ says (other s) p d.
Proof.
  unfold open, says; destruct (label p) as [d|d|d|]; intros H; try discriminate;
    exists d; destruct (mover G p), s; auto.
Qed.

Lemma says_not_open s p d : says s p d -> open p = false.
Proof. unfold says, open; intros ->; now destruct (same _ _). Qed.

Lemma says_one_seat s p d e : says s p d -> ~ says (other s) p e.
Proof. unfold says; intros ->; destruct (mover G p), s; discriminate. Qed.

Lemma seen_win p q d : seen p q = Win d <-> exists e, d = S e /\ says (mover G p) q e.
Proof.
  unfold seen, says; destruct (label q) as [e|e|e|], (same (mover G q) (mover G p)); simpl;
    (split; [intros H; try discriminate; injection H as <-; eauto
            |intros (e' & -> & H); try discriminate; now injection H as ->]).
Qed.

Lemma seen_loss p q d : seen p q = Loss d <-> exists e, d = S e /\ says (other (mover G p)) q e.
Proof.
  unfold seen, says; destruct (label q) as [e|e|e|], (mover G q), (mover G p); simpl;
    (split; [intros H; try discriminate; injection H as <-; eauto
            |intros (e' & -> & H); try discriminate; now injection H as ->]).
Qed.

Lemma open_says s p q :
  waits p -> In q (moves G p) -> mover G p <> s -> open q = true \/ exists d, says s q d.
Proof.
  intros [no_win _] I M. apply not_same in M.
  destruct (open q) eqn:O; [now left|right].
  destruct (says_or_open s q O) as [d [S|S]]; [eauto|].
  exfalso. apply (no_win q (Datatypes.S d) I). apply seen_win. rewrite M; eauto.
Qed.

Lemma agrees_at p : inside p -> outcome G p = None ->
  (forall q, In q (moves G p) -> inside q) /\ agrees_going_on p.
Proof. intros I E. pose proof (all_agree p I) as A. unfold agrees in A. now rewrite E in A. Qed.

Lemma has_moves p : inside p -> outcome G p = None -> moves G p <> [].
Proof.
  intros I E none. destruct (agrees_at p I E) as [_ A]. unfold agrees_going_on, waits in A.
  rewrite none in A. simpl in A.
  destruct (label p); firstorder.
Qed.

(** Where [s] is said to win, one or all moves lead to where it is said to win sooner. *)
Lemma says_own s p d : inside p -> outcome G p = None -> mover G p = s -> says s p d ->
  exists q e, In q (moves G p) /\ d = S e /\ says s q e.
Proof.
  intros I E M S. destruct (agrees_at p I E) as [_ A]. unfold agrees_going_on in A.
  unfold says in S. destruct (same_spec (mover G p) s) as [_|no] in S; [|contradiction].
  rewrite S in A. destruct A as [(q & Q & W) _]. apply seen_win in W as (e & -> & W).
  subst s; eauto.
Qed.

Lemma says_all s p d : inside p -> outcome G p = None -> mover G p <> s -> says s p d ->
  forall q, In q (moves G p) -> exists e, S e <= d /\ says s q e.
Proof.
  intros I E M S q Q. destruct (agrees_at p I E) as [_ A]. unfold agrees_going_on in A.
  unfold says in S. destruct (same_spec (mover G p) s) as [yes|_] in S; [contradiction|].
  rewrite S in A. destruct A as [_ A]. destruct (A q Q) as (d' & L & le).
  apply seen_loss in L as (e & -> & L). apply not_same in M.
  rewrite M, other_other in L. eauto.
Qed.

Lemma says_over s p d r : inside p -> outcome G p = Some r -> says s p d -> r = Some s.
Proof.
  intros I E S. pose proof (all_agree p I) as A. unfold agrees in A. rewrite E in A.
  unfold says in S. destruct r as [t|].
  - rewrite A in S. destruct (mover G p), t, s; simpl in S; congruence.
  - destruct A as [A _]. rewrite A in S. destruct (same _ _); discriminate.
Qed.

(** ** Wins and losses *)

Lemma says_wins s d : forall p, inside p -> says s p d -> wins_within s d p.
Proof.
  induction d as [d IH] using lt_wf_ind. intros p I S.
  destruct (outcome G p) as [r|] eqn:E.
  { eapply over; [exact E|]. symmetry. eapply says_over; eauto. }
  pose proof (agrees_at p I E) as [closed _].
  destruct (same_spec (mover G p) s) as [M|M].
  - destruct (says_own s p d I E M S) as (q & e & Q & -> & Sq).
    eapply by_a_move; eauto. apply IH; auto.
  - pose proof (says_all s p d I E M S) as all.
    destruct d as [|d].
    { exfalso. apply (has_moves p I E). destruct (moves G p) as [|q l]; [reflexivity|].
      destruct (all q) as (e & le & _); [now left|lia]. }
    apply by_every_move; auto using has_moves.
    intros q Q. destruct (all q Q) as (e & le & Sq).
    apply (forces_longer _ _ e); [lia|]. apply IH; auto.
Qed.

Lemma wins_says s n p : wins_within s n p -> inside p -> exists d, says s p d /\ d <= n.
Proof.
  induction 1 as [n p r E g | n p q E M Q _ IH | n p E M N _ IH]; intros I.
  - exists 0; split; [|lia]. pose proof (all_agree p I) as A. unfold agrees in A.
    rewrite E, <- g in A. exact A.
  - destruct (agrees_at p I E) as [closed A]. destruct (IH (closed q Q)) as (e & Sq & le).
    assert (W : seen p q = Win (S e)) by (apply seen_win; subst s; eauto).
    unfold agrees_going_on in A. unfold says. rewrite M.
    replace (same s s) with true by now destruct s.
    destruct (label p) as [d|d|d|].
    + exists d; split; [reflexivity|]. destruct A as [_ A]. specialize (A q _ Q W). lia.
    + destruct A as [_ A]. destruct (A q Q) as (e' & L & _). congruence.
    + destruct A as [[A _] _]. now destruct (A q (S e) Q).
    + destruct A as [[A _] _]. now destruct (A q (S e) Q).
  - destruct (agrees_at p I E) as [closed A].
    assert (M' := not_same _ _ M).
    assert (all : forall q, In q (moves G p) -> exists e, says s q e /\ e <= n) by auto.
    unfold agrees_going_on in A. unfold says. destruct (same_spec (mover G p) s); [contradiction|].
    destruct (label p) as [d|d|d|].
    + destruct A as [(q & Q & W) _]. apply seen_win in W as (e & _ & W). rewrite M' in W.
      destruct (all q Q) as (e' & Sq & _). exfalso. exact (says_one_seat s q e' e Sq W).
    + exists d; split; [reflexivity|]. destruct A as [(q & Q & L) _].
      apply seen_loss in L as (e & -> & L). rewrite M', other_other in L.
      destruct (all q Q) as (e' & Sq & le). unfold says in L, Sq. rewrite L in Sq.
      destruct (same (mover G q) s); injection Sq as ->; lia.
    + destruct A as [[_ (q & Q & O)] _]. destruct (all q Q) as (e & Sq & _).
      apply says_not_open in Sq. congruence.
    + destruct A as [[_ (q & Q & O)] _]. destruct (all q Q) as (e & Sq & _).
      apply says_not_open in Sq. congruence.
Qed.

Lemma says_wins_in s p d : inside p -> says s p d -> wins_in s d p.
Proof.
  intros I S; split; [now apply says_wins|].
  intros m W. destruct (wins_says s m p W I) as (e & S' & le).
  unfold says in S, S'. rewrite S in S'. destruct (same _ _); injection S' as ->; lia.
Qed.

(** ** Never to lose *)

Definition is_win (v : verdict) (d : nat) : bool :=
  match v with Win e => e =? d | _ => false end.

Definition wanted (keep : pos -> bool) (p q : pos) : bool :=
  match label p with Win d => is_win (seen p q) d | _ => keep q end.

(** Go on to a quickest win where there is one; else stay within [keep]. *)
Definition plan_of (keep : pos -> bool) (p : pos) : pos :=
  match find (wanted keep p) (moves G p) with Some q => q | None => p end.

Lemma planned_move keep p : (exists q, In q (moves G p) /\ wanted keep p q = true) ->
  In (plan_of keep p) (moves G p) /\ wanted keep p (plan_of keep p) = true.
Proof.
  intros (q & Q & W). unfold plan_of. destruct (find _ _) as [q'|] eqn:F.
  - now apply find_some in F.
  - eapply find_none in F; eauto. congruence.
Qed.

(** If [s] can stay in [keep], and the other cannot leave it but by losing, [s] keeps to it. *)
Lemma stays (good : option seat -> Prop) (s : seat) (keep : pos -> bool) :
  (forall p, keep p = true -> open p = true) ->
  (forall p r, inside p -> keep p = true -> outcome G p = Some r -> good r) ->
  (forall p, inside p -> keep p = true -> outcome G p = None -> mover G p = s ->
     exists q, In q (moves G p) /\ keep q = true) ->
  (forall p q, inside p -> keep p = true -> outcome G p = None -> mover G p <> s ->
     In q (moves G p) -> open q = true -> keep q = true) ->
  good (Some s) ->
  forall p, inside p -> keep p = true -> keeps good s p.
Proof.
  intros opens ends own answers g p I K.
  exists (plan_of keep). intros q C.
  assert (H : inside q /\ (keep q = true \/ exists d, says s q d)).
  { induction C as [|q C IH E M|q r C IH E M R]; [auto| |]; destruct IH as [Iq IH].
    - destruct (agrees_at q Iq E) as [closed A].
      assert (W : exists r, In r (moves G q) /\ wanted keep q r = true).
      { destruct IH as [Kq|[d S]].
        - destruct (own q Iq Kq E M) as (r & R & Kr). exists r; split; [exact R|].
          unfold wanted. apply opens in Kq. unfold open in Kq.
          destruct (label q); congruence || exact Kr.
        - destruct (says_own s q d Iq E M S) as (r & e & R & -> & Sr). exists r; split; [exact R|].
          assert (Wr : seen q r = Win (Datatypes.S e)) by (apply seen_win; subst s; eauto).
          unfold wanted. unfold says in S. rewrite M in S.
          replace (same s s) with true in S by now destruct s.
          rewrite S, Wr. simpl. apply Nat.eqb_refl. }
      destruct (planned_move keep q W) as [R W']. split; [auto|].
      unfold wanted in W'. destruct IH as [Kq|[d S]].
      + left. apply opens in Kq. unfold open in Kq. destruct (label q); congruence || exact W'.
      + right. unfold says in S. rewrite M in S.
        replace (same s s) with true in S by now destruct s.
        rewrite S in W'. unfold is_win in W'.
        destruct (seen q (plan_of keep q)) as [e|e|e|] eqn:Sr; try discriminate.
        apply seen_win in Sr as (e' & _ & Sr). rewrite M in Sr; eauto.
    - destruct (agrees_at q Iq E) as [closed A]. split; [auto|].
      destruct IH as [Kq|[d S]].
      + assert (wait : waits q).
        { unfold agrees_going_on in A. apply opens in Kq. unfold open in Kq.
          destruct (label q); try discriminate; tauto. }
        destruct (open_says s q r wait R M) as [O|S]; [left|now right].
        now apply (answers q r).
      + right. destruct (says_all s q d Iq E M S r R) as (e & _ & Sr). eauto. }
  destruct H as [Iq H]. destruct (outcome G q) as [r|] eqn:E.
  - destruct H as [Kq|[d S]]; [eauto|].
    rewrite (says_over s q d r Iq E S). exact g.
  - split; [now apply has_moves|]. intros M. apply planned_move.
    destruct H as [Kq|[d S]].
    + destruct (own q Iq Kq E M) as (r & R & Kr). exists r; split; [exact R|].
      unfold wanted. apply opens in Kq. unfold open in Kq.
      destruct (label q); congruence || exact Kr.
    + destruct (says_own s q d Iq E M S) as (r & e & R & -> & Sr). exists r; split; [exact R|].
      assert (Wr : seen q r = Win (Datatypes.S e)) by (apply seen_win; subst s; eauto).
      unfold wanted. unfold says in S. rewrite M in S.
      replace (same s s) with true in S by now destruct s.
      rewrite S, Wr. simpl. apply Nat.eqb_refl.
Qed.

Lemma open_waits p : inside p -> open p = true -> outcome G p = None ->
  waits p /\ forall s, rank_agrees s p.
Proof.
  intros I O E. destruct (agrees_at p I E) as [_ A].
  unfold agrees_going_on in A. unfold open in O.
  destruct (label p); try discriminate; split; try tauto; intros s; apply A.
Qed.

Lemma open_undecided p : inside p -> open p = true -> undecided p.
Proof.
  intros I O s. apply (stays (unlost s) s open); auto.
  - intros q r Iq Oq E. pose proof (all_agree q Iq) as A. unfold agrees in A. rewrite E in A.
    unfold open in Oq. destruct r as [t|]; [|discriminate].
    rewrite A in Oq. destruct (same _ _); discriminate.
  - intros q Iq Oq E _. now destruct (open_waits q Iq Oq E) as [[_ W] _].
  - unfold unlost. intros H; injection H as H; symmetry in H; now apply other_differs in H.
Qed.

(** ** For ever *)

Lemma unranked_for_ever s p :
  inside p -> open p = true -> rank s p = None -> keeps (eq (Some (other s))) (other s) p.
Proof.
  intros I O R.
  set (keep q := open q && match rank s q with None => true | _ => false end).
  assert (keep_iff : forall q, keep q = true <-> open q = true /\ rank s q = None).
  { intros q; unfold keep. rewrite andb_true_iff. destruct (rank s q); intuition congruence. }
  apply (stays _ _ keep); auto.
  - intros q K. now apply keep_iff in K.
  - intros q r Iq K E. apply keep_iff in K as [Oq Rq].
    pose proof (all_agree q Iq) as A. unfold agrees in A. rewrite E in A.
    unfold open in Oq. destruct r as [t|].
    + rewrite A in Oq. destruct (same _ _); discriminate.
    + destruct A as [_ A]. now rewrite A in Rq.
  - intros q Iq K E M. apply keep_iff in K as [Oq Rq].
    destruct (open_waits q Iq Oq E) as [_ A]. specialize (A s). unfold rank_agrees in A.
    rewrite Rq in A. destruct (same_spec (mover G q) s) as [M'|_].
    + exfalso. apply (other_differs s). congruence.
    + destruct A as (r & Q & Or & Rr). exists r; split; [exact Q|]. now apply keep_iff.
  - intros q r Iq K E M Q Or. apply keep_iff in K as [Oq Rq]. apply keep_iff. split; [exact Or|].
    destruct (open_waits q Iq Oq E) as [_ A]. specialize (A s). unfold rank_agrees in A.
    rewrite Rq in A. destruct (same_spec (mover G q) s) as [_|M']; [auto|].
    apply not_same in M. rewrite other_other in M. contradiction.
  - now apply keep_iff.
Qed.

(** ** Draws *)

Lemma forces_all good s l :
  (forall q, In q l -> exists n, forces good s n q) ->
  exists n, forall q, In q l -> forces good s n q.
Proof.
  induction l as [|q l IH]; intros H; [exists 0; contradiction|].
  destruct IH as [n Hn]; [auto using in_cons|].
  destruct (H q) as [m Hm]; [now left|].
  exists (n + m). intros r [<-|R].
  - apply (forces_longer _ _ m); [lia|assumption].
  - apply (forces_longer _ _ n); [lia|auto].
Qed.

Lemma says_unlost s p d : inside p -> says s p d -> exists n, forces (unlost s) s n p.
Proof.
  intros I S. exists d. apply (forces_weaker (eq (Some s))); [|now apply says_wins].
  intros r <- H; injection H as H; symmetry in H; now apply other_differs in H.
Qed.

Lemma ranked_ends s r : forall p, inside p -> open p = true -> rank s p = Some r ->
  exists n, forces (unlost s) s n p.
Proof.
  induction r as [r IH] using lt_wf_ind. intros p I O R.
  destruct (outcome G p) as [w|] eqn:E.
  { exists 0. eapply over; [exact E|]. pose proof (all_agree p I) as A.
    unfold agrees in A. rewrite E in A. unfold open in O. destruct w as [t|]; [|discriminate].
    rewrite A in O. destruct (same _ _); discriminate. }
  destruct (agrees_at p I E) as [closed _].
  destruct (open_waits p I O E) as [W A]. specialize (A s). unfold rank_agrees in A. rewrite R in A.
  destruct (same_spec (mover G p) s) as [M|M].
  - destruct A as (q & Q & Oq & r' & Rq & lt).
    destruct (IH r' lt q) as [n F]; auto. exists (S n). eapply by_a_move; eauto.
  - destruct (forces_all (unlost s) s (moves G p)) as [n F].
    { intros q Q. destruct (open_says s p q W Q M) as [Oq|[d S]].
      - destruct (A q Q Oq) as (r' & Rq & lt). apply (IH r'); auto.
      - eapply says_unlost; eauto. }
    exists (S n). apply by_every_move; auto using has_moves.
Qed.

Lemma draw_ranked p d : inside p -> label p = Draw d -> forall s, exists r, rank s p = Some r.
Proof.
  intros I L s. pose proof (all_agree p I) as A. unfold agrees in A.
  destruct (outcome G p) as [[t|]|].
  - rewrite L in A. destruct (same _ _); discriminate.
  - destruct A as [_ A]. eauto.
  - destruct A as [_ A]. unfold agrees_going_on in A. rewrite L in A.
    destruct A as (_ & A & _). destruct (A s) as [_ H].
    destruct (rank s p); [eauto|contradiction].
Qed.

Lemma draw_drawn p d : inside p -> label p = Draw d -> drawn p.
Proof.
  intros I L. assert (O : open p = true) by (unfold open; now rewrite L).
  split; [now apply open_undecided|].
  intros s. destruct (draw_ranked p d I L s) as [r R]. eapply ranked_ends; eauto.
Qed.

Lemma endless_for_ever p : inside p -> label p = Endless -> exists s, keeps (eq (Some s)) s p.
Proof.
  intros I L. assert (O : open p = true) by (unfold open; now rewrite L).
  pose proof (all_agree p I) as A. unfold agrees in A.
  destruct (outcome G p) as [[t|]|].
  - rewrite L in A. destruct (same _ _); discriminate.
  - destruct A as [A _]. congruence.
  - destruct A as [_ A]. unfold agrees_going_on in A. rewrite L in A.
    destruct A as (_ & _ & s & R). exists (other s). now apply unranked_for_ever.
Qed.

Lemma says_not_undecided s p d : inside p -> says s p d -> ~ undecided p.
Proof. intros I S U. exact (undecided_not_won p s d U (says_wins s d p I S)). Qed.

Lemma drawn_draw p : inside p -> drawn p -> exists d, label p = Draw d.
Proof.
  intros I D. destruct (open p) eqn:O.
  - unfold open in O. destruct (label p) as [d|d|d|] eqn:L; try discriminate; [eauto|].
    exfalso. destruct (endless_for_ever p I L) as [s K]. exact (drawn_not_for_ever p s D K).
  - exfalso. destruct D as [U _]. destruct (says_or_open first p O) as [d [S|S]];
      exact (says_not_undecided _ p d I S U).
Qed.

Lemma seen_draw p q d : seen p q = Draw d <-> exists e, d = S e /\ label q = Draw e.
Proof.
  unfold seen; destruct (label q) as [e|e|e|], (same (mover G q) (mover G p)); simpl;
    (split; [intros H; try discriminate; injection H as <-; eauto
            |intros (e' & -> & H); try discriminate; now injection H as ->]).
Qed.

Lemma draw_way d : forall p, inside p -> label p = Draw d -> way d p.
Proof.
  induction d as [d IH] using lt_wf_ind. intros p I L.
  pose proof (draw_drawn p d I L) as D.
  pose proof (all_agree p I) as A. unfold agrees in A.
  destruct (outcome G p) as [[t|]|] eqn:E.
  - rewrite L in A. destruct (same _ _); discriminate.
  - destruct A as [A _]. rewrite L in A. injection A as ->. now apply at_end.
  - destruct A as [closed A]. unfold agrees_going_on in A. rewrite L in A.
    destruct A as (_ & _ & (q & Q & Sq) & _). apply seen_draw in Sq as (e & -> & Lq).
    eapply one_step; eauto.
Qed.

Lemma way_draw e p : way e p -> inside p -> exists d, label p = Draw d /\ d <= e.
Proof.
  induction 1 as [p D E|e p q D E Q W IH]; intros I.
  - exists 0; split; [|lia]. pose proof (all_agree p I) as A. unfold agrees in A.
    rewrite E in A. tauto.
  - destruct (drawn_draw p I D) as [d L]. exists d; split; [exact L|].
    destruct (agrees_at p I E) as [closed A]. destruct (IH (closed q Q)) as (d' & Lq & le).
    unfold agrees_going_on in A. rewrite L in A. destruct A as (_ & _ & _ & A).
    enough (d <= S d') by lia. apply (A q); [exact Q|]. apply seen_draw; eauto.
Qed.

(** * The theorem *)

Theorem labels_are_the_value : forall p, inside p -> value p (label p).
Proof.
  intros p I. destruct (label p) as [d|d|d|] eqn:L; simpl.
  - apply says_wins_in; [exact I|]. unfold says. rewrite L. now destruct (mover G p).
  - apply says_wins_in; [exact I|]. unfold says. rewrite L. now destruct (mover G p).
  - split; [eapply draw_drawn; eauto|]. split; [now apply draw_way|].
    intros e W. destruct (way_draw e p W I) as (d' & L' & le).
    rewrite L in L'. injection L' as ->. exact le.
  - split; [|now apply endless_for_ever].
    apply open_undecided; [exact I|]. unfold open. now rewrite L.
Qed.

End AnyGame.
