// Reads CSV (RFC 4180) piece by piece, so that a file of any size goes through.

const CELL = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|\n|\r(?!$))/y;
/** A record is never as long; a quote that nobody closed would gather the whole file. */
const MOST_CHARACTERS = 100_000;

class CsvReader {
  #rest = '';
  #record = [];

  /** The records that are whole now. */
  push(text) {
    const records = [];
    const whole = this.#rest + text;
    CELL.lastIndex = 0;
    let at = 0;
    for (let match = CELL.exec(whole); match; match = CELL.exec(whole)) {
      at = CELL.lastIndex;
      const [, cell, end] = match;
      this.#record.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
      if (end === ',') continue;
      records.push(this.#record);
      this.#record = [];
    }
    this.#rest = whole.slice(at);
    if (this.#rest.length > MOST_CHARACTERS) throw new Error('unreadableFile');
    return records;
  }

  /** What is left at the end of a file whose last line has no end. */
  end() {
    return this.#rest === '' && this.#record.length === 0 ? [] : this.push('\n');
  }
}

/** The columns of payment events, by the names that exports give them. */
const COLUMNS = {
  id: ['name', 'id'],
  agency: ['mda', 'agency', 'agencyId'],
  amount: ['amount'],
  currency: ['currency'],
  channel: ['channel'],
  kind: ['kind'],
  occurredAt: ['occurred_at', 'occurredAt'],
  seal: ['seal'],
};

/** Reads records as payment events, from the header of their file; null where it is no file of payment events. */
export function readHeader(header) {
  const names = header.map((name) => name.replace('\uFEFF', '').trim());
  const places = Object.entries(COLUMNS).map(([column, known]) => [
    column,
    names.findIndex((name) => known.includes(name)),
  ]);
  if (places.some(([, place]) => place < 0)) return null;
  return (record, line) => {
    const { seal, amount, ...event } = Object.fromEntries(
      places.map(([column, place]) => [column, record[place] ?? '']),
    );
    return { ...event, amount: withoutZeros(amount), line, ...readSeal(seal) };
  };
}

/** An amount without zeros at the end of its fraction, as seals have it. */
const withoutZeros = (amount) => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);

function readSeal(text) {
  if (text === '') return { sequence: null };
  try {
    const { sequence, version, commitment, hash } = JSON.parse(text);
    if (typeof hash === 'string' && (version === 1 || version === 2)) return { sequence, version, commitment, hash };
  } catch {
    // Whoever reads is told of the line.
  }
  return { sequence: NaN };
}

/** Every event of a file, in batches; `onProgress` hears how many bytes were read. */
export async function* readEvents(file, onProgress) {
  const reader = new CsvReader();
  let toEvent = null;
  let line = 0;
  let bytes = 0;
  const counted = new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      controller.enqueue(chunk);
    },
  });
  const eventsOf = (records) => {
    const events = [];
    for (const record of records) {
      line++;
      if (toEvent) {
        if (record.length > 1) events.push(toEvent(record, line));
      } else toEvent = readHeader(record);
      if (!toEvent) throw new Error('columns');
    }
    return events;
  };
  const texts = file.stream().pipeThrough(counted).pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await texts.read(); !piece.done; piece = await texts.read()) {
    yield eventsOf(reader.push(piece.value));
    onProgress(bytes);
  }
  yield eventsOf(reader.end());
  if (!toEvent) throw new Error('columns');
}
