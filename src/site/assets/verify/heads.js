// Heads of chains as somebody kept them: JSON as the rail answers it, or lines as the page of seals prints them.

const LINE = /^\s*["']?([\w.-]{1,40})["']?[\s,;|]+["']?(\d{1,12})["']?[\s,;|]+["']?([0-9a-f]{64})\b/i;

/** Heads by their agency; null where a text names none, though it is not blank. */
export function readHeads(text) {
  if (text.trim() === '') return new Map();
  const heads = readJson(text) ?? text.split(/\r?\n/).flatMap(readLine);
  return heads.length === 0 ? null : new Map(heads.map((head) => [head.agency, head]));
}

function readLine(line) {
  const [, agency, sequence, hash] = LINE.exec(line) ?? [];
  return hash ? [{ agency, sequence: Number(sequence), hash: hash.toLowerCase() }] : [];
}

function readJson(text) {
  try {
    const json = JSON.parse(text);
    const rows = Array.isArray(json) ? json : (json.data ?? json.chains);
    const heads = rows.map(({ mda, sequence, seals, hash }) => ({ agency: mda, sequence: sequence ?? seals, hash }));
    return heads.filter(({ sequence, hash }) => Number.isInteger(sequence) && typeof hash === 'string');
  } catch {
    return null;
  }
}
