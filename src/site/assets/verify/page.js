// The page that recomputes chains from a file, without a request to anybody.

import { Chain } from './chain.js';
import { readEvents } from './csv.js';
import { readHeads } from './heads.js';

const form = document.querySelector('[data-verify]');
const words = JSON.parse(form.dataset.words);
const progress = form.querySelector('progress');
const said = document.querySelector('[data-said]');
const results = document.querySelector('[data-results]');
const row = results.querySelector('template');
const number = (value) => new Intl.NumberFormat(document.documentElement.lang).format(value);

/** A text of the page, filled in. */
const say = (word, values = {}) =>
  Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, String(value)), words[word]);

/** Each check ends the one before it. */
let current = 0;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void verify();
});
// Not sooner: sent without this script, it would lose the file that somebody chose.
form.hidden = false;

async function verify() {
  const turn = ++current;
  const isOver = () => turn !== current;
  const [file] = form.elements.file.files;
  const heads = readHeads(form.elements.heads.value);
  results.hidden = true;
  said.className = 'notice';
  said.hidden = false;
  if (!globalThis.crypto?.subtle) return tell('insecure', 'bad');
  if (!file) return tell('noFile', 'bad');
  if (!heads) return tell('noHeads', 'bad');
  progress.hidden = false;
  progress.max = Math.max(file.size, 1);
  try {
    const chains = await recompute(file, heads, isOver);
    if (!isOver()) show(chains, heads);
  } catch (error) {
    if (!isOver()) tell(words[error.message] ? error.message : 'unreadableFile', 'bad');
  } finally {
    if (!isOver()) progress.hidden = true;
  }
}

function tell(word, tone, values) {
  said.textContent = say(word, values);
  said.classList.toggle('bad', tone === 'bad');
  said.classList.toggle('good', tone === 'good');
}

async function recompute(file, heads, isOver) {
  const chains = new Map();
  let rows = 0;
  let toldAt = 0;
  const onProgress = (bytes) => {
    progress.value = bytes;
    // Whoever listens to it hears of it now and then.
    if (Date.now() - toldAt < 1_000) return;
    toldAt = Date.now();
    tell('reading', '', { rows: number(rows), percent: Math.floor((100 * bytes) / progress.max) });
  };
  for await (const events of readEvents(file, onProgress)) {
    if (isOver()) return [];
    for (const event of events) {
      if (!chains.has(event.agency)) chains.set(event.agency, new Chain(event.agency, heads.get(event.agency) ?? null));
      chains.get(event.agency).add(event);
    }
    rows += events.length;
    for (const chain of chains.values()) await chain.settle();
  }
  const finished = await Promise.all([...chains.values()].map((chain) => chain.finish()));
  return finished.toSorted((a, b) => (a.agency < b.agency ? -1 : 1));
}

function show(chains, heads) {
  const lost = [...heads.keys()].filter((agency) => !chains.some((chain) => chain.agency === agency));
  const wrong = chains.filter((chain) => isWrong(chain));
  const sealed = chains.reduce((sum, chain) => sum + chain.sealed, 0);
  if (chains.length === 0) tell('empty', 'bad');
  else if (wrong.length > 0) tell('broken', 'bad', { chains: number(wrong.length) });
  else if (lost.length > 0) tell('lost', 'bad', { agencies: lost.join(', ') });
  else tell(heads.size > 0 ? 'proven' : 'whole', 'good', { seals: number(sealed) });
  const body = results.querySelector('tbody');
  body.replaceChildren(...chains.map(rowOf));
  results.hidden = chains.length === 0;
  said.focus();
}

const isWrong = ({ faults, kept }) => faults > 0 || kept === 'differs' || kept === 'beyond';

/** A row of the table, from the template of the page. */
function rowOf(chain) {
  const { agency, first, last, head, sealed, recomputed, unsealed, faults, fault, kept } = chain;
  const filled = row.content.cloneNode(true);
  const put = (slot, text) => {
    filled.querySelector(`[data-slot="${slot}"]`).textContent = text;
  };
  const range = sealed > 0 ? `${number(first)}–${number(last)}` : '–';
  const notes = [];
  if (fault) notes.push(say(fault.why, { ...fault, sequence: number(fault.sequence), line: number(fault.line ?? 0) }));
  if (faults > 1) notes.push(say('more', { number: number(faults - 1) }));
  if (kept) notes.push(say(`head_${kept}`));
  if (first > 1 && sealed > 0 && kept !== 'joined') notes.push(say('partial', { first: number(first) }));
  if (recomputed < sealed) notes.push(say('versions', { number: number(sealed - recomputed) }));
  if (unsealed > 0) notes.push(say('unsealed', { number: number(unsealed) }));
  put('agency', agency);
  put('numbers', range);
  put('outcome', say(isWrong(chain) ? 'bad' : 'good'));
  put('notes', notes.join(' '));
  put('head', head);
  filled.querySelector('[data-slot="outcome"]').classList.add(isWrong(chain) ? 'Failed' : 'Confirmed');
  return filled;
}
