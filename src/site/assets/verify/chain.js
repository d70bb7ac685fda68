// Recomputes chains of payment events, row by row, in whatever order a file has them: each row is held until the one
// before it in its chain is there. docs/recompute-seals.mjs does the same from what the rail answers.

const GENESIS = '0'.repeat(64);
/** Beyond what any chain has; a file that says more is not one of the rail's. */
const MOST_SEALS = 2 ** 28;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const encoder = new TextEncoder();

async function digest(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
  return Array.from(bytes, (byte) => HEX[byte]).join('');
}

/** Numbers that were there, a bit each. */
class Numbers {
  #bits = new Uint8Array(1024);

  has(number) {
    return ((this.#bits[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }

  add(number) {
    if (number >> 3 >= this.#bits.length) {
      const more = new Uint8Array(Math.max((number >> 3) + 1, this.#bits.length * 2));
      more.set(this.#bits);
      this.#bits = more;
    }
    this.#bits[number >> 3] |= 1 << (number & 7);
  }
}

/** The chain of an agency, as far as a file has it. */
export class Chain {
  agency;
  first = Infinity;
  last = 0;
  /** The hash of the last row. */
  head = '';
  sealed = 0;
  recomputed = 0;
  unsealed = 0;
  /** How much is wrong, and the first of it: at which number, and why; with the event and the line where there is one. */
  faults = 0;
  fault = null;
  #seen = new Numbers();
  /** Rows, by their number, whose row before has not come yet. */
  #waiting = new Map();
  /** Hashes and versions, by number, of rows whose next row has not come yet. */
  #ends = new Map();
  #checks = [];
  /** A head of the chain that somebody kept, and the hash that the file has at its number. */
  #kept;
  #hashAtKept = null;

  constructor(agency, kept = null) {
    this.agency = agency;
    this.#kept = kept;
  }

  add(row) {
    const { sequence, hash, version } = row;
    if (sequence === null) {
      this.unsealed++;
      return;
    }
    if (!Number.isSafeInteger(sequence) || sequence < 1 || sequence > MOST_SEALS) {
      this.#blame({ ...row, sequence: 0 }, 'unreadable');
      return;
    }
    if (this.#seen.has(sequence)) {
      this.#blame(row, 'twice');
      return;
    }
    this.#seen.add(sequence);
    this.sealed++;
    this.first = Math.min(this.first, sequence);
    if (sequence > this.last) {
      this.last = sequence;
      this.head = hash;
    }
    if (sequence === this.#kept?.sequence) this.#hashAtKept = hash;
    const next = this.#waiting.get(sequence + 1);
    if (next) {
      this.#waiting.delete(sequence + 1);
      this.#check(next, { hash, version });
    } else this.#ends.set(sequence, { hash, version });
    const before = sequence === 1 ? { hash: GENESIS, version: 1 } : this.#ends.get(sequence - 1);
    if (before) {
      this.#ends.delete(sequence - 1);
      this.#check(row, before);
    } else this.#waiting.set(sequence, row);
  }

  /** Waits for what is being recomputed. */
  async settle() {
    const checks = this.#checks;
    this.#checks = [];
    await Promise.all(checks);
  }

  /** What the chain comes to. */
  async finish() {
    // What comes before the file is known by the head that was kept of it.
    const after = this.#kept && this.#waiting.get(this.#kept.sequence + 1);
    if (after && !this.#seen.has(this.#kept.sequence)) this.#check(after, { hash: this.#kept.hash, version: 1 });
    await this.settle();
    for (let number = this.first; number < this.last; number++)
      if (!this.#seen.has(number)) this.#blame({ sequence: number, id: null, line: null }, 'missing');
    const { agency, first, last, head, sealed, recomputed, unsealed, faults, fault } = this;
    return { agency, first, last, head, sealed, recomputed, unsealed, faults, fault, kept: this.#compare() };
  }

  /** How the head that was kept stands to the chain; null where none was. */
  #compare() {
    if (!this.#kept) return null;
    const { sequence, hash } = this.#kept;
    if (sequence > this.last) return 'beyond';
    if (sequence < this.first) return sequence === this.first - 1 ? 'joined' : 'earlier';
    return this.#hashAtKept === hash ? 'same' : 'differs';
  }

  #check(row, before) {
    if (row.version === 1) {
      if (before.version === 2) this.#blame(row, 'older');
      return;
    }
    this.recomputed++;
    const { id, agency, amount, currency, channel, kind, occurredAt, commitment } = row;
    const members = [id, agency, amount, currency, channel, kind, occurredAt, commitment];
    const text = `${before.hash}\n${row.sequence}\n${JSON.stringify(members)}`;
    this.#checks.push(digest(text).then((hash) => hash === row.hash || this.#blame(row, 'changed')));
  }

  #blame({ sequence, id, line }, why) {
    this.faults++;
    if (!this.fault || sequence < this.fault.sequence) this.fault = { sequence, why, event: id, line };
  }
}
