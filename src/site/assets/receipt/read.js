// What a receipt says, read in the browser: as `readPayload` of the rail reads it, which a test compares.

const KINDS = { p: 'payment', d: 'duplicate', l: 'late' };
const FORM =
  /^1~(\d{6}\.\d{1,18})~(\d{6}\.\d{1,18})~([pdl])~([0-9a-z]{1,8})\*(-?\d{1,4})~(\w+)~([A-Z]{3})~([^~]*)~([^~]+)~([^~]*)$/;

const plain = (text) => decodeURIComponent(text.replaceAll('_', ' '));

const docname = (prefix, short) => {
  const [month, number] = short.split('.');
  return `${prefix}-${month.slice(0, 4)}-${month.slice(4)}-${number.padStart(6, '0')}`;
};

/** Null where a text is none that a rail signs. Amounts stay text. */
export function readReceipt(payload) {
  const found = FORM.exec(payload);
  if (!found) return null;
  const [, name, assessment, kind, seconds, offset, channel, currency, initials, parts, names] = found;
  const entries = parts.split('!').map((entry) => entry.split('*'));
  const others = entries.at(-1)[0].startsWith('+') ? entries.pop() : null;
  const services = names === '' ? [] : names.split('!');
  const more = services.at(-1)?.startsWith('+') ? services.pop() : '0';
  return {
    name: docname('RCP', name),
    assessment: docname('ASMT', assessment),
    kind: KINDS[kind],
    paidAt: new Date(Number.parseInt(seconds, 36) * 1000),
    utcOffset: Number(offset),
    channel,
    currency,
    payerInitials: plain(initials),
    agencies: entries.map(([mda, amount, event]) => ({ mda: plain(mda), amount, event: docname('PEV', event) })),
    otherAgencies: others && { count: Number(others[0]), amount: others[1] },
    services: services.map(plain),
    otherServices: Number(more),
  };
}
