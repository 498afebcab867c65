// A checker of certificates, written from docs/certificates.md alone.
//
// node checker.js FILE says what the certificate in a file proves. Without FILE it reads the names
// of files from its input, and answers each with one line.
"use strict";
const fs = require("fs");
const zlib = require("zlib");

const MAX_FILE_BYTES = 25165824;
const MAX_NUMBER = 10n ** 1000n - 1n;
const MAX_LINE = 1000000n;
const MAX_POOL = 10000000n;
const VALUES = ["win", "draw", "endless", "loss"];

class Refused extends Error {}

function need(condition, why) {
  if (!condition) throw new Refused(why);
}

// The file.

function unzipped(data) {
  need(data.length >= 18 && data[2] === 8 && data[3] < 32, "not gzip");
  const flags = data[3];
  let at = 10;
  if (flags & 4) at += 2 + data.readUInt16LE(at);
  for (const bit of [8, 16]) if (flags & bit) at = data.indexOf(0, at) + 1;
  if (flags & 2) at += 2;
  let found;
  try {
    found = zlib.inflateRawSync(data.subarray(at), { maxOutputLength: MAX_FILE_BYTES + 1, info: true });
  } catch (error) {
    throw new Refused("what is compressed cannot be read");
  }
  const end = at + found.engine.bytesWritten;
  need(data.length === end + 8, "the compressed data does not end with the file");
  need(data.readUInt32LE(end) === checksum(found.buffer), "the checksum is wrong");
  need(data.readUInt32LE(end + 4) === found.buffer.length, "the length is wrong");
  return found.buffer;
}

function checksum(data) {
  const table = Int32Array.from({ length: 256 }, (_, byte) => {
    for (let bit = 0; bit < 8; bit++) byte = (byte >>> 1) ^ (byte & 1 ? 0xedb88320 : 0);
    return byte;
  });
  let sum = -1;
  for (let at = 0; at < data.length; at++) sum = (sum >>> 8) ^ table[(sum ^ data[at]) & 255];
  return ~sum >>> 0;
}

// JSON with exact whole numbers (as BigInt), objects as maps, and no repeated keys.
function parsed(text) {
  let at = 0;
  const space = () => { while (" \t\n\r".includes(text[at] || "x")) at++; };
  const take = (mark) => { need(text[at] === mark, `not JSON at ${at}`); at++; };
  function string() {
    const start = at;
    take('"');
    while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    take('"');
    try {
      return JSON.parse(text.slice(start, at));
    } catch (error) {
      throw new Refused("not JSON: a text");
    }
  }
  function members(close, member) {
    at++;
    space();
    if (text[at] === close) { at++; return; }
    for (;;) {
      member();
      space();
      if (text[at] === close) { at++; return; }
      take(",");
    }
  }
  function value(depth) {
    need(depth < 100, "nested too deeply");
    space();
    if (text[at] === "{") {
      const found = new Map();
      members("}", () => {
        space();
        const key = string();
        need(!found.has(key), "a key stands twice in an object");
        space();
        take(":");
        found.set(key, value(depth + 1));
      });
      return found;
    }
    if (text[at] === "[") {
      const found = [];
      members("]", () => found.push(value(depth + 1)));
      return found;
    }
    if (text[at] === '"') return string();
    for (const [word, meant] of [["true", true], ["false", false], ["null", null]]) {
      if (text.startsWith(word, at)) { at += word.length; return meant; }
    }
    const digits = /-?(?:0|[1-9][0-9]{0,999})(?![0-9.eE])/y;
    digits.lastIndex = at;
    const match = digits.exec(text);
    need(match, "not JSON, or not a whole number");
    at = digits.lastIndex;
    return BigInt(match[0]);
  }
  const found = value(0);
  space();
  need(at === text.length, "text after the value");
  return found;
}

function whole(value, low, high, what) {
  need(typeof value === "bigint" && value >= low && value <= high, `${what} is not within bounds`);
  return value;
}

const small = (value, low, high, what) => Number(whole(value, BigInt(low), BigInt(high), what));

function fields(object, names) {
  need(object instanceof Map, "not an object");
  const there = [...object.keys()];
  need(there.length === names.length && names.every((name) => object.has(name)), `fields: ${there}`);
  return names.map((name) => object.get(name));
}

function list(value, most) {
  need(Array.isArray(value) && value.length <= most, "not a list, or too long");
  return value;
}

function check(data) {
  need(data.length <= MAX_FILE_BYTES, "too long");
  if (data[0] === 0x1f && data[1] === 0x8b) data = unzipped(data);
  need(data.length <= MAX_FILE_BYTES, "too long");
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch (error) {
    throw new Refused("not UTF-8");
  }
  const names = ["format", "game", "settings", "position", "verdict", "proves", "proofs"];
  const [format, key, settings, position, verdict, proves, proofs] = fields(parsed(text), names);
  need(format === "numduel-certificate/1", "the format");
  need(typeof key === "string" && Object.hasOwn(GAMES, key), "the game");
  need(settings instanceof Map, "the settings");
  need(typeof position === "string", "the position");
  const [value, distance] = fields(verdict, ["value", "distance"]);
  need(VALUES.includes(value), "the value");
  if (distance !== null) whole(distance, 0n, MAX_NUMBER, "the distance");
  need(proves === "value" || proves === "distance", "what is proved");
  need(list(proofs, 2).length >= 1, "the proofs");
  const game = new GAMES[key](settings);
  game.root = game.read(position);
  const over = game.winner(game.root) !== 0;
  let proved = false;
  for (const proof of proofs) {
    need(proof instanceof Map && typeof proof.get("kind") === "string", "a proof has no kind");
    const kind = proof.get("kind");
    need(game.kinds().includes(kind), "the kind does not belong to the game");
    need(over === (kind === "over"), "the kind must fit whether the game is over");
    proof.delete("kind");
    const [found, far] = game[kind](proof, value, distance);
    need(found === value, "another value is proved");
    need(far === null || distance === null || far === distance, "another distance is proved");
    proved ||= far !== null && far === distance;
  }
  if (proves === "value") return value;
  need(proved, "the distance is not proved");
  return `${value} in ${distance}`;
}

// The base of all games. Positions have a mover; moves are BigInts.

class Game {
  constructor(settings, names) {
    for (const name of settings.keys()) need(names.includes(name), `setting ${name}`);
    this.settings = settings;
  }

  setting(name, standard, low = 1n, high = MAX_NUMBER) {
    return whole(this.settings.has(name) ? this.settings.get(name) : standard, low, high, name);
  }

  word(name, words) {
    const value = this.settings.has(name) ? this.settings.get(name) : words[0];
    need(words.includes(value), name);
    return value;
  }

  kinds() {
    return ["over", "labels", "strategy"];
  }

  over(proof) {
    fields(proof, []);
    return [this.winner(this.root) === this.root.mover ? "win" : "loss", 0n];
  }

  labels(proof) {
    const labels = list(fields(proof, ["labels"])[0], 200000).map(label);
    const met = [this.root], places = new Map([[this.text(this.root), 0]]);
    let left = 5000000;
    for (let here = 0; here < met.length; here++) {
      need(here < labels.length, "more positions than labels");
      const position = met[here], ways = [];
      for (const move of this.moves(position)) {
        need(left-- > 0, "too many moves");
        const after = this.after(position, move), winner = this.winner(after);
        const same = after.mover === position.mover;
        if (winner) {
          ways.push([same, { value: winner === after.mover ? "win" : "loss", far: 0n, ranks: [] }]);
          continue;
        }
        const text = this.text(after);
        if (!places.has(text)) {
          places.set(text, met.length);
          met.push(after);
          need(met.length <= labels.length, "more positions than labels");
        }
        ways.push([same, labels[places.get(text)]]);
      }
      agree(labels[here], ways, position.mover);
    }
    need(met.length === labels.length, "more labels than positions");
    return [labels[0].value, labels[0].far];
  }

  strategy(proof, value, distance) {
    const timed = proof.has("holds");
    const [wins, holds] = fields(proof, timed ? ["wins", "holds"] : ["wins"]);
    need(value === "win" || value === "loss", "a win or a loss");
    const winner = value === "win" ? this.root.mover : 3 - this.root.mover;
    const most = timed ? small(distance, 1, 1000, "the distance") : 1000;
    const left = this.follow(nodes(wins), winner, winner, most, 500000);
    if (!timed) return [value, null];
    this.follow(nodes(holds), 3 - winner, winner, most - 1, left);
    return [value, distance];
  }

  follow(nodes, seat, winner, most, left) {
    const waiting = most ? [[this.root, 0, 0]] : [];
    while (waiting.length) {
      const [here, place, made] = waiting.pop();
      const ours = here.mover === seat;
      const [move, then] = nodes[place];
      const legal = this.moves(here);
      need(!ours || legal.includes(move), "not a legal move");
      for (const one of ours ? [move] : legal) {
        need(left-- > 0, "too many moves");
        const after = this.after(here, one), won = this.winner(after);
        if (won) {
          need((won === winner) === (seat === winner), "the wrong player wins");
        } else if (made + 1 < most) {
          const to = ours ? place : then.get(String(one)) ?? then.get("*");
          need(to !== undefined, "there is no answer");
          waiting.push([after, to, made + 1]);
        } else {
          need(seat !== winner, "a game goes on too long");
        }
      }
    }
    return left;
  }
}

function label(given) {
  const [value, far, ...ranks] = list(given, 4);
  if (value === "win" || value === "loss") {
    need(ranks.length === 0, "a label");
    return { value, far: whole(far, 1n, MAX_NUMBER, "a label"), ranks };
  }
  need(ranks.length === 2 && (value === "draw" || value === "endless"), "a label");
  for (const rank of ranks) if (rank !== null) whole(rank, 0n, MAX_NUMBER, "a rank");
  if (value === "draw") {
    need(!ranks.includes(null), "a draw has two ranks");
    whole(far, 1n, MAX_NUMBER, "a label");
  } else {
    need(ranks.includes(null) && far === null, "an endless position has no two ranks");
  }
  return { value, far, ranks };
}

function agree(label, ways, mover) {
  need(ways.length, "there is no move");
  const decided = ways.filter(([, to]) => to.value === "win" || to.value === "loss");
  const wins = decided.filter(([same, to]) => same === (to.value === "win")).map(([, to]) => to.far + 1n);
  const losses = decided.filter(([same, to]) => same !== (to.value === "win")).map(([, to]) => to.far + 1n);
  if (wins.length) {
    need(label.value === "win" && label.far === least(wins), "the label of a win");
  } else if (losses.length === ways.length) {
    need(label.value === "loss" && label.far === most(losses), "the label of a loss");
  } else {
    need(label.value === "draw" || label.value === "endless", "nothing is decided");
    const quiet = ways.map(([, to]) => to).filter((to) => to.value === "draw" || to.value === "endless");
    label.ranks.forEach((rank, seat) => {
      const after = quiet.map((to) => to.ranks[seat]), mine = seat + 1 === mover;
      const fits = (one) => (rank === null ? one === null : one !== null && one < rank);
      need((rank === null) === mine ? after.every(fits) : after.some(fits), "a rank");
    });
    if (label.value === "draw") {
      const draws = quiet.filter((to) => to.value === "draw").map((to) => to.far + 1n);
      need(draws.length && label.far === least(draws), "the distance of a draw");
    }
  }
}

const least = (numbers) => numbers.reduce((a, b) => (a < b ? a : b));
const most = (numbers) => numbers.reduce((a, b) => (a > b ? a : b));

function nodes(given) {
  need(list(given, 200000).length, "there are no nodes");
  return given.map((node, place) => {
    need(Array.isArray(node) && node.length === 2 && node[1] instanceof Map, "a node");
    const [move, then] = node;
    if (move !== null) whole(move, -MAX_NUMBER, MAX_NUMBER, "a move");
    const answers = new Map();
    for (const [key, to] of then) {
      need(/^(\*|0|-?[1-9][0-9]{0,999})$/.test(key), "the key of an answer");
      answers.set(key, small(to, place + 1, given.length - 1, "a place"));
    }
    return [move, answers];
  });
}

function numbers(text, size) {
  const found = [];
  for (const part of text === "-" ? [] : text.split(",")) {
    const match = /^([1-9][0-9]{0,6})(?:-([1-9][0-9]{0,6}))?$/.exec(part);
    need(match, "a list of numbers");
    const low = Number(match[1]), high = Number(match[2] ?? match[1]);
    need(high <= size && (match[2] === undefined || low < high), "a list of numbers");
    need(!found.length || low > found[found.length - 1] + 1, "a list of numbers");
    for (let n = low; n <= high; n++) found.push(n);
  }
  return new Set(found);
}

function movers(text) {
  const match = /^([^/!]*)(!?)\/([12])$/.exec(text);
  need(match, "the notation");
  return [match[1], match[2] === "!", Number(match[3])];
}

// Tally games: { number, end, mover }; end is 1 if the last move won, -1 if it lost, 0 otherwise.

class Tally extends Game {
  kinds() {
    return [...super.kinds(), "numbers", "remainders", "divisor", "race"];
  }

  results(number) {
    return this.menu.map(([sign, by]) => (sign === "+" ? number + by : sign === "-" ? number - by : number * by));
  }

  end(number) {
    if (this.ceiling !== null && number > this.ceiling) return -1;
    return number % this.goal === 0n ? 1 : 0;
  }

  read(text) {
    const [held, marked, mover] = movers(text);
    const hex = /^0x[1-9a-f][0-9a-f]{0,29997}$/.test(held);
    need(hex || /^[1-9][0-9]{0,999}$/.test(held), "the number");
    const number = BigInt(held), end = this.end(number);
    need(hex === number > MAX_NUMBER, "a long number is in hexadecimal");
    need(marked ? end : end === 0 || (number === this.start && end > 0), "the mark of an end");
    return { number, end: marked ? end : 0, mover };
  }

  text(position) {
    return `${position.number} ${position.end} ${position.mover}`;
  }

  moves(position) {
    if (position.end) return [];
    return this.results(position.number).flatMap((to, at) => (to >= 1n ? [BigInt(at + 1)] : []));
  }

  after(position, move) {
    const number = this.results(position.number)[Number(move) - 1];
    return { number, end: this.end(number), mover: 3 - position.mover };
  }

  winner(position) {
    if (position.end) return position.end < 0 ? position.mover : 3 - position.mover;
    return this.moves(position).length ? 0 : 3 - position.mover;
  }

  usual() {
    return this.menu.length === 2 && this.menu.some(([s, by]) => s === "+" && by === 1n) &&
      this.menu.some(([s, by]) => s === "x" && by === 2n);
  }

  numbers(proof) {
    const given = list(fields(proof, ["labels"])[0], 1000000);
    need(this.ceiling !== null, "there is no ceiling");
    const labels = new Map();
    let last = 0n;
    for (const pair of given) {
      need(Array.isArray(pair) && pair.length === 2, "a pair");
      last = whole(pair[0], last + 1n, this.ceiling, "a number");
      labels.set(last, whole(pair[1], -MAX_NUMBER, MAX_NUMBER, "a label"));
    }
    for (const [number, label] of labels) {
      const values = this.results(number).filter((to) => to >= 1n).map((to) => {
        const end = this.end(to);
        if (end) return BigInt(end);
        if (!this.results(to).some((further) => further >= 1n)) return 1n;
        need(labels.has(to), `${to} has no label`);
        return turned(labels.get(to));
      });
      need(values.length && label === best(values), `the label of ${number}`);
    }
    need(labels.has(this.root.number), "the number has no label");
    return worded(labels.get(this.root.number));
  }

  divisorDuel() {
    need(this.key === "divisor-duel" && this.ceiling === null, "Divisor Duel without a ceiling");
    return this.goal;
  }

  remainders(proof) {
    const divisor = this.divisorDuel(), labels = list(fields(proof, ["labels"])[0], 1000);
    need(BigInt(labels.length) === divisor, "as many labels as remainders");
    for (const label of labels) whole(label, -MAX_NUMBER, MAX_NUMBER, "a label");
    labels.forEach((label, r) => {
      const values = [r + 1, 2 * r].map((to) => to % labels.length)
        .map((to) => (to === 0 ? 1n : turned(labels[to])));
      need(label === best(values), `the label of ${r}`);
    });
    return worded(labels[Number(this.root.number % divisor)]);
  }

  divisor(proof) {
    const [r] = fields(proof, ["remainder"]), divisor = this.divisorDuel();
    need(divisor >= 9n && r === this.root.number % divisor, "the remainder");
    return r === 0n || r === divisor - 1n || 2n * r === divisor ? ["win", 1n] : ["endless", null];
  }

  race(proof) {
    const [layer, given] = fields(proof, ["layer", "odd_from"]);
    const n = this.root.number, target = this.goal;
    need(this.usual() && this.ceiling === target && n < target, "a race of +1 and x2");
    const k = whole(layer, 0n, 4000n, "the layer");
    need(target >> (k + 1n) < n && n <= target >> k, "the layer");
    let first = null;
    for (let j = 0n; first === null && target >> j > 0n; j += 2n) if ((target >> j) & 1n) first = j;
    need(given === first, "the first even place of a one");
    const e = first === null ? k + 1n : first;
    const far = (n, k) => {
      let sum = target - n;
      for (let j = 2n; j <= k && j <= e; j += 2n) sum -= target >> j;
      return sum;
    };
    if (k >= e) return [n % 2n ? "loss" : "win", far(n, k)];
    if (k % 2n === 0n) return [n % 2n ? "win" : "loss", far(n, k)];
    return ["win", 1n + far(2n * n, k - 1n)];
  }
}

const turned = (label) => (label < 0n ? 1n - label : label > 0n ? -1n - label : 0n);

function best(values) {
  const wins = values.filter((value) => value > 0n);
  return wins.length ? least(wins) : values.includes(0n) ? 0n : least(values);
}

function worded(label) {
  return label === 0n ? ["endless", null] : label > 0n ? ["win", label] : ["loss", -label];
}

class DivisorDuel extends Tally {
  key = "divisor-duel";

  constructor(settings) {
    super(settings, ["divisor", "start", "ceiling"]);
    this.goal = this.setting("divisor", 13n);
    this.start = this.setting("start", 1n);
    this.ceiling = settings.get("ceiling") ?? null;
    if (this.ceiling !== null) whole(this.ceiling, this.start + 1n, MAX_NUMBER, "ceiling");
    this.menu = [["+", 1n], ["x", 2n]];
  }
}

class OperationDuel extends Tally {
  constructor(settings) {
    super(settings, ["target", "start", "operations"]);
    this.start = this.setting("start", 1n);
    this.goal = this.ceiling = this.setting("target", 20n, this.start + 1n);
    const text = settings.has("operations") ? settings.get("operations") : "+1,x2";
    need(typeof text === "string", "operations");
    this.menu = text.split(",").map((one) => {
      need(/^[-+x][1-9][0-9]{0,999}$/.test(one) && one !== "x1", "operations");
      return [one[0], BigInt(one.slice(1))];
    });
    need(this.menu.length <= 9 && new Set(text.split(",")).size === this.menu.length, "operations");
  }
}

class DoubleOrAdd extends Tally {
  constructor(settings) {
    super(settings, ["target", "start"]);
    this.start = this.setting("start", 1n);
    this.goal = this.ceiling = this.setting("target", 31n, this.start + 1n);
    this.menu = [["x", 2n], ["+", 1n]];
  }
}

// Divisor Line: { marks: [those of 1, those of 2], won, mover }.

class DivisorLine extends Game {
  constructor(settings) {
    super(settings, ["size", "goal"]);
    this.goal = this.word("goal", ["pair", "chain"]);
    this.size = Number(this.setting("size", 20n, this.goal === "pair" ? 6n : 16n, MAX_LINE));
  }

  kinds() {
    return [...super.kinds(), "pair"];
  }

  read(text) {
    const [held, won, mover] = movers(text);
    const marks = held.split(":").map((part) => numbers(part, this.size));
    need(marks.length === 2, "the notation");
    const [mine, theirs] = [marks[mover - 1], marks[2 - mover]];
    need(![...mine].some((n) => theirs.has(n)), "a number is held twice");
    need(theirs.size === mine.size || theirs.size === mine.size + 1, "the players take turns");
    need(!this.wins(mine) && this.wins(theirs) === won, "the mark of a win");
    return { marks, won, mover };
  }

  // Whether the numbers win, by the longest chain that ends at each.
  wins(held) {
    if (held.size < 3) return false;
    const ascending = [...held].sort((a, b) => a - b), enough = this.goal === "pair" ? 2 : 3;
    const longest = new Map(ascending.map((n) => [n, 1])), top = ascending[ascending.length - 1];
    for (const [n, length] of longest) {
      if (length >= enough) return true;
      for (let m = 2 * n; m <= top; m += n) {
        if (longest.has(m)) longest.set(m, Math.max(longest.get(m), length + 1));
      }
    }
    return false;
  }

  text(position) {
    return position.marks.map((held) => [...held].sort((a, b) => a - b).join()).join(":") + position.mover;
  }

  moves(position) {
    const found = [], [one, two] = position.marks;
    if (position.won) return found;
    for (let n = 1; n <= this.size; n++) if (!one.has(n) && !two.has(n)) found.push(BigInt(n));
    return found;
  }

  after(position, move) {
    const marks = [...position.marks], at = position.mover - 1;
    marks[at] = new Set(marks[at]).add(Number(move));
    return { marks, won: this.wins(marks[at]), mover: 3 - position.mover };
  }

  winner(position) {
    return position.won ? 3 - position.mover : 0;
  }

  // Whether a free number makes a pair for a holder of at least two numbers.
  claim(held, n) {
    const all = [...held, n];
    return held.size >= 2 && all.some((a) => all.some((b) => a < b && b % a === 0));
  }

  pair(proof) {
    const claims = list(fields(proof, ["claims"])[0], 2).map((n) => small(n, 1, this.size, "a claim"));
    need(this.goal === "pair", "the goal is pair");
    const { marks, mover } = this.root, [mine, theirs] = [marks[mover - 1], marks[2 - mover]];
    need(!claims.some((n) => mine.has(n) || theirs.has(n)), "a claim is free");
    need(new Set(claims).size === claims.length, "two different claims");
    if (theirs.size < 2) {
      need(claims.length === 0, "there are no claims yet");
      return [["win", 5n], ["loss", 4n], ["win", 3n]][mine.size + theirs.size];
    }
    if (claims.length === 1 && this.claim(mine, claims[0])) return ["win", 1n];
    const all = (held) => this.moves(this.root).map(Number).filter((n) => this.claim(held, n));
    need(all(mine).length === 0, "the mover has a claim");
    if (claims.length === 2) {
      need(claims.every((n) => this.claim(theirs, n)), "claims of the opponent");
      return ["loss", 2n];
    }
    need(all(theirs).join() === claims.join(), "just the claims of the opponent");
    return ["win", 3n];
  }
}

// Multiplicity: { at, chosen, mover }.

class Multiplicity extends Game {
  constructor(settings) {
    super(settings, ["size", "start", "opening", "start_open"]);
    this.size = Number(this.setting("size", 50n, 1n, MAX_POOL));
    this.start = Number(this.setting("start", 1n, 1n, BigInt(this.size)));
    this.even = this.word("opening", ["any", "even"]) === "even";
    this.open = this.word("start_open", [false, true]);
    this.from = this.open ? 0 : 1; // the number of numbers that are chosen at the start
  }

  kinds() {
    return [...super.kinds(), "matching", "primes"];
  }

  read(text) {
    const [held, marked, mover] = movers(text), parts = held.split(":");
    need(parts.length === 2 && !marked && /^[1-9][0-9]{0,6}$/.test(parts[0]), "the notation");
    const at = Number(parts[0]), chosen = numbers(parts[1], this.size);
    need(this.open || chosen.has(this.start), "the start is chosen");
    if (chosen.size === this.from) need(at === this.start, "the current number is the start");
    else need(chosen.has(at) && (this.open || at !== this.start), "the current number is chosen");
    return { at, chosen, mover };
  }

  text(position) {
    return `${position.at}:${[...position.chosen].sort((a, b) => a - b)}/${position.mover}`;
  }

  near(position) {
    const { at, chosen } = position, found = [];
    for (let d = 1; 2 * d <= at; d++) if (at % d === 0) found.push(d);
    for (let m = 2 * at; m <= this.size; m += at) found.push(m);
    const even = this.even && chosen.size === this.from;
    return found.filter((n) => !chosen.has(n) && !(even && n % 2));
  }

  moves(position) {
    return this.near(position).map(BigInt);
  }

  after(position, move) {
    const at = Number(move);
    return { at, chosen: new Set(position.chosen).add(at), mover: 3 - position.mover };
  }

  winner(position) {
    return this.near(position).length ? 0 : 3 - position.mover;
  }

  matching(proof, value) {
    const size = this.size;
    const [pairs, apart, parts] = fields(proof, ["pairs", "apart", "parts"]).map((one) => list(one, size));
    need(value === "win" || value === "loss", "a win or a loss");
    const moves = this.near(this.root), where = new Int32Array(size + 1); // the rest is 0
    const GONE = -1, APART = -2;
    for (const n of this.root.chosen) where[n] = GONE;
    const vertices = size - this.root.chosen.size, matched = new Uint8Array(size + 1);
    for (const pair of pairs) {
      need(Array.isArray(pair) && pair.length === 2, "a pair");
      const [a, b] = [small(pair[0], 0, size, "a pair"), small(pair[1], 1, size, "a pair")];
      need(a < b && where[b] !== GONE && !matched[a] && !matched[b], "a pair");
      need(a === 0 ? moves.includes(b) : where[a] !== GONE && b % a === 0, "a pair is an edge");
      matched[a] = matched[b] = 1;
    }
    const put = (n, place) => {
      const at = small(n, 1, size, "a vertex");
      need(where[at] === 0, "a vertex stands twice, or is chosen");
      where[at] = place;
    };
    for (const n of apart) put(n, APART);
    parts.forEach((part, place) => {
      const some = Array.isArray(part) ? part : [part];
      need(some.length % 2 === 1, "a part is odd");
      for (const n of some) put(n, place + 1);
    });
    for (let a = 1; 2 * a <= size; a++) {
      if (where[a] < 0) continue;
      for (let b = 2 * a; b <= size; b += a) need(where[b] < 0 || where[a] === where[b], "an edge");
    }
    const bound = vertices + apart.length - parts.length;
    if (value === "win") {
      need(matched[0] && bound < 2 * pairs.length, "the bound of a win");
    } else {
      need(!matched[0] && bound <= 2 * pairs.length, "the bound of a loss");
      need(moves.every((n) => where[n] <= 0), "a legal move is in a part");
    }
    return [value, null];
  }

  primes(proof) {
    const [primes, above] = fields(proof, ["primes", "above"]), n = this.size;
    need(this.start === 1 && this.root.chosen.size === this.from, "from the start, which is 1");
    const three = list(primes, 3).map((p) => small(p, 2, n, "a prime"));
    need(new Set(three).size === 3 && three.every(isPrime), "three primes");
    need(three.every((p) => n < 4 * p && 3 * p <= n), "between a quarter and a third");
    if (this.open) {
      const s = small(above, 2, n, "a prime above");
      need(2 * s > n && isPrime(s), "a prime above half");
    } else {
      need(above === null, "no prime above is needed");
    }
    return ["win", null];
  }
}

function isPrime(n) {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
  return n >= 2;
}

const GAMES = {
  "divisor-duel": DivisorDuel,
  "operation-duel": OperationDuel,
  "double-or-add": DoubleOrAdd,
  "divisor-line": DivisorLine,
  multiplicity: Multiplicity,
};

function answer(data) {
  try {
    return `proved: ${check(data)}`;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return `refused: ${error.message}`;
  }
}

if (process.argv.length > 2) {
  const line = answer(fs.readFileSync(process.argv[2]));
  console.log(line);
  process.exitCode = line.startsWith("proved") ? 0 : 1;
} else {
  const lines = require("readline").createInterface({ input: process.stdin });
  lines.on("line", (file) => console.log(answer(fs.readFileSync(file))));
}
