// The list of what happens, newest first: filled as the stream sends it, and halted by a button.

import { follow } from './stream.js';

const ticker = document.querySelector('[data-ticker]');
const words = JSON.parse(ticker.dataset.words);
const body = ticker.querySelector('tbody');
const blank = ticker.querySelector('template');
const state = ticker.querySelector('[data-state]');
const button = ticker.querySelector('[data-pause]');
const { lang } = document.documentElement;
const most = Number(ticker.dataset.most);
/** Whoever listens hears of the number of news once in so long. */
const SAY_EVERY_MS = 5_000;

let waiting = [];
let paused = false;
let connection = 'connecting';
let news = 0;
let saying = null;

button.addEventListener('click', () => {
  paused = !paused;
  button.setAttribute('aria-pressed', String(paused));
  button.textContent = paused ? words.resume : words.pause;
  if (!paused) show();
  say();
});

void follow(
  ticker.dataset.after,
  (item) => {
    // Anomalies of the page may come again: those after the last payment.
    if (body.querySelector(`[data-id="${CSS.escape(item.id)}"]`)) return;
    news++;
    waiting.push(item);
    if (waiting.length > most) waiting.shift();
    if (!paused) show();
    saying ??= setTimeout(say, SAY_EVERY_MS);
  },
  (now) => {
    connection = now;
    say();
  },
);

function say() {
  clearTimeout(saying);
  saying = null;
  const word = paused && connection === 'live' ? 'paused' : connection;
  const number = new Intl.NumberFormat(lang).format(word === 'paused' ? waiting.length : news);
  const text = words[word].replace('{number}', number);
  if (state.textContent !== text) state.textContent = text;
}

function show() {
  // What is recorded late goes where its moment is, as the page has it.
  for (const row of waiting.map(rowOf)) {
    const later = [...body.rows].find(({ dataset }) => dataset.at <= row.dataset.at);
    body.insertBefore(row, later ?? null);
  }
  waiting = [];
  while (body.rows.length > most) body.rows[body.rows.length - 1].remove();
  ticker.querySelector('[data-none]')?.remove();
}

function rowOf({ id, at, agency, concerned, anomaly, severity, kind, channel, amount, currency }) {
  const row = blank.content.firstElementChild.cloneNode(true);
  const slot = (name) => row.querySelector(`[data-slot="${name}"]`);
  row.dataset.id = id;
  row.dataset.at = at;
  row.classList.add('new');
  const { name = '–', timeZone = ticker.dataset.zone } = agency ?? concerned ?? {};
  const clock = { dateStyle: 'medium', timeStyle: 'short', timeZone, hourCycle: 'h23' };
  slot('at').textContent = new Intl.DateTimeFormat(lang, clock).format(new Date(at));
  slot('agency').textContent = name;
  const tag = severity ?? (kind === 'reversal' ? kind : null);
  if (tag) {
    slot('tag').textContent = severity ? words.severity[severity] : words.paymentEventKind[kind];
    slot('tag').classList.add(tag);
    slot('tag').hidden = false;
  }
  if (anomaly) {
    const link = document.createElement('a');
    link.href = `/oversight/anomalies/${encodeURIComponent(id)}`;
    link.textContent = words.anomaly[anomaly] ?? anomaly;
    slot('what').replaceWith(link);
  } else {
    slot('what').textContent = words.channel[channel] ?? channel;
    slot('amount').textContent = moneyOf(amount, currency);
  }
  return row;
}

/** An amount as the page writes it: with as many digits as its currency has. */
function moneyOf(amount, currency) {
  const { maximumFractionDigits: digits } = new Intl.NumberFormat(lang, {
    style: 'currency',
    currency,
  }).resolvedOptions();
  const number = new Intl.NumberFormat(lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${currency}\u00a0${number.format(amount)}`;
}
