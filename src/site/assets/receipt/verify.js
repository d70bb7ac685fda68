// The page that verifies a receipt: its signature by the keys of the page, without a request to anybody, and then how it
// stands, where the rail can be reached.

import { readReceipt } from './read.js';

const place = document.querySelector('[data-receipt]');
const words = JSON.parse(place.dataset.words);
const channels = JSON.parse(place.dataset.channels);
const keys = JSON.parse(place.dataset.keys);
const said = place.querySelector('[data-said]');
const facts = place.querySelector('dl');
const { lang } = document.documentElement;

const say = (word, values = {}) =>
  Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, String(value)), words[word]);
const day = (at) => new Intl.DateTimeFormat(lang, { dateStyle: 'long' }).format(new Date(at));
const money = (amount, currency) => `${currency}\u00a0${new Intl.NumberFormat(lang).format(Number(amount))}`;
const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.codePointAt(0));

/** Each receipt that is opened ends what is done about the one before. */
let turn = 0;

addEventListener('hashchange', () => void open());
void open();
void keep();

async function open() {
  const [, kid, signature, payload] = /^#([\w-]{8,43})\.([\w-]{86})\.(\S+)$/.exec(location.hash) ?? [];
  const own = ++turn;
  place.hidden = location.hash === '' || fillIn();
  facts.replaceChildren();
  if (place.hidden) return;
  if (payload === undefined) return tell('unread', 'bad');
  tell('checking', '');
  const genuine = await isGenuine(kid, signature, payload);
  if (own !== turn) return;
  const receipt = genuine === false ? null : readReceipt(payload);
  if (genuine === false || !receipt) return tell('forged', 'bad');
  show(receipt);
  if (genuine) tell('genuine', 'good', { day: day(receipt.paidAt) });
  const answer = await askState({ payload, signature, kid });
  if (own !== turn) return;
  if (answer) tellState(answer);
  else if (genuine === null) tell('unsupported', 'bad');
}

/** Fills in the form from the address that a text has, which is too short for a signature; whether it is one. */
function fillIn() {
  const [, name, code] = /^#(RCP-[\d-]+)\.([\w-]+)$/.exec(location.hash) ?? [];
  if (code === undefined) return false;
  const form = document.querySelector('form[action="/verify"]');
  form.elements.name.value = name;
  form.elements.code.value = code;
  form.querySelector('[type=submit]').focus();
  return true;
}

/** Whether a key of the rail signed it, as the rail checks it; null where the browser cannot say. */
async function isGenuine(kid, signature, payload) {
  const key = keys.find((one) => one.kid.startsWith(kid));
  if (!key) return false;
  let valid;
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.x };
    const opened = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify']);
    valid = await crypto.subtle.verify('Ed25519', opened, bytesOf(signature), new TextEncoder().encode(payload));
  } catch {
    // Older browsers do not know the algorithm.
    return null;
  }
  const at = readReceipt(payload)?.paidAt.getTime();
  const leeway = 60_000;
  const until = key.until === null ? Number.POSITIVE_INFINITY : Date.parse(key.until);
  return valid && at <= until + leeway;
}

/** How the rail says that it stands; null where it does not answer. */
async function askState(body) {
  try {
    const answer = await fetch('/v1/receipts:verify', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.ok ? (await answer.json()).data : null;
  } catch {
    // The network is away: what was signed says what it can.
    return null;
  }
}

function tellState({ state, contents, left, voided_at: at, replaced_by: number }) {
  if (state === 'unknown' || state === 'forged') facts.replaceChildren();
  const partly = state === 'valid' && left < contents.amount;
  const word = number ? 'replaced' : at ? 'voided' : partly ? 'partly' : state;
  tell(word, state === 'valid' ? 'good' : 'bad', {
    number,
    day: at && day(at),
    left: partly && money(left, contents.currency),
  });
}

function tell(word, tone, values) {
  said.textContent = say(word, values);
  said.classList.toggle('bad', tone === 'bad');
  said.classList.toggle('good', tone === 'good');
}

function show(receipt) {
  const { currency, agencies, otherAgencies, services, otherServices } = receipt;
  const total = agencies.reduce((sum, { amount }) => sum + Number(amount), Number(otherAgencies?.amount ?? 0));
  const moment = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' });
  const others = (number) => say('others', { number });
  const rows = [
    [words.number, receipt.name],
    [words[receipt.kind], money(total, currency)],
    [words.paidAt, moment.format(receipt.paidAt)],
    [words.assessment, receipt.assessment],
    [words.channel, channels[receipt.channel] ?? receipt.channel],
    [words.payer, receipt.payerInitials],
    [words.services, [...services, ...(otherServices > 0 ? [others(otherServices)] : [])].join(', ')],
    ...agencies.map(({ mda, amount }) => [mda, money(amount, currency)]),
    ...(otherAgencies ? [[others(otherAgencies.count), money(otherAgencies.amount, currency)]] : []),
  ];
  facts.replaceChildren(...rows.filter(([, text]) => text !== '').map(rowOf));
}

function rowOf([name, text]) {
  const row = document.createElement('div');
  const [term, detail] = [document.createElement('dt'), document.createElement('dd')];
  [term.textContent, detail.textContent] = [name, text];
  row.append(term, detail);
  return row;
}

/** Keeps the page, so that the QR code of the next receipt opens it without a network. */
async function keep() {
  if (!navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register(place.dataset.worker, { scope: '/verify' });
    const kept = await caches.open('verify');
    const parts = document.querySelectorAll('link[rel="stylesheet"], link[rel="icon"], script[src]');
    await kept.addAll(['/verify', ...Array.from(parts, (part) => part.href ?? part.src)]);
    place.dataset.kept = 'yes';
  } catch {
    // As in a private window: then the page works offline until it is closed.
  }
}
