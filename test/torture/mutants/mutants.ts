/** A fault that is put into a copy of the product, and the scenario that has to find it. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Text of the file, which is there once, and what takes its place. */
  readonly search: string;
  readonly replace: string;
  readonly scenario: string;
}

/** Each could lose money, messages or evidence without an error. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'the idempotency key of a change is not stored with it',
    file: 'src/platform/change/idempotency.ts',
    search: 'if (!once || subject === null) return [];',
    replace: 'if (1) return [];',
    scenario: 'repeats',
  },
  {
    name: 'a fifth of changes is acknowledged before it is written',
    file: 'src/platform/change/commit.ts',
    search: 'const row = await send(call, (db) => db.row<{ changed: boolean }>(whole));',
    replace: `if (Math.random() < 0.2) {
      setTimeout(() => void send(call, (db) => db.row(whole)).catch(() => {}), 300);
      return true;
    }
    const row = await send(call, (db) => db.row<{ changed: boolean }>(whole));`,
    scenario: 'repeats',
  },
  {
    name: 'a change is acknowledged before it is durable',
    file: 'src/platform/database/connection/connection.ts',
    search: "const COMMON = { jit: 'off' };",
    replace: "const COMMON = { jit: 'off', synchronous_commit: 'off' };",
    scenario: 'postgres-kills',
  },
  {
    name: 'a seal skips a number',
    file: 'src/oversight/seals/seal.ts',
    search: 'sealOf(SEAL_VERSION, hash, ++sequence, event, salt)',
    replace: 'sealOf(SEAL_VERSION, hash, (sequence += sequence === 3 ? 2 : 1), event, salt)',
    scenario: 'repeats',
  },
  {
    name: 'the receipt of a reversed payment is not voided',
    file: 'src/collection/receipts/steps.ts',
    search: 'from ${changed} where r.name = any(${names})`',
    replace: 'from ${changed} where r.name = any(${names}) and false`',
    scenario: 'repeats',
  },
  {
    name: 'a shilling goes to another agency',
    file: 'src/collection/payments/splits.ts',
    search: '.map(([mda, amount]) => ({ mda, amount }))\n    .filter(',
    replace:
      '.map(([mda, amount], at) => ({ mda, amount: owed.size < 2 ? amount : amount.plus(at ? 1 : -1) }))\n    .filter(',
    scenario: 'repeats',
  },
  {
    name: 'a failed delivery counts as delivered',
    file: 'src/accounts/webhooks/send.ts',
    search: 'const delivered = httpStatus !== null && httpStatus >= 200 && httpStatus < 300;',
    replace: 'const delivered = httpStatus !== null;',
    scenario: 'webhooks',
  },
  {
    name: 'a message does not wait for the one before it',
    file: 'src/accounts/webhooks/send.ts',
    search: 'order by f.object, f.sequence limit 1)',
    replace: 'and f.sequence = q.sequence limit 1)',
    scenario: 'webhooks',
  },
  {
    name: 'a message is queued twice',
    file: 'src/platform/change/outbox.ts',
    search: `const rows = messages.map((message) => ({ id: randomUUID(), ...message }));
  return [`,
    replace: `const rows = messages.flatMap((message) => [1, 2].map(() => ({ id: randomUUID(), ...message })));
  return [`,
    scenario: 'listeners',
  },
  {
    name: 'a message is relayed to no endpoint',
    file: 'src/accounts/webhooks/relay.ts',
    search: 'on d.id = o.id\n    join webhook_endpoint e',
    replace: "on d.id = o.id and o.type <> 'assessment.paid'\n    join webhook_endpoint e",
    scenario: 'listeners',
  },
  {
    name: 'only the first endpoint of an account gets a message',
    file: 'src/accounts/webhooks/relay.ts',
    search: 'endpoints.map((endpoint) => ({ id, endpoint }))',
    replace: 'endpoints.slice(0, 1).map((endpoint) => ({ id, endpoint }))',
    scenario: 'listeners',
  },
  {
    name: 'the log of events loses every 20th message of a batch',
    file: 'src/accounts/events/log.ts',
    search: 'order by w.place`;',
    replace: 'where w.place % 20 <> 0 order by w.place`;',
    scenario: 'listeners',
  },
  {
    name: 'rows of the audit trail are lost',
    file: 'src/platform/audit/groups.ts',
    search: 'await write(rows);',
    replace: 'await write(rows.length > 1 ? rows.slice(1) : rows);',
    scenario: 'listeners',
  },
  {
    name: 'a tab of a link does not find the payment that another began',
    file: 'src/collection/links/page/start.ts',
    search: 'where assessment = ${link.assessment} and channel = ${channel}::channel',
    replace: 'where assessment = ${link.assessment} and channel = ${channel}::channel and false',
    scenario: 'links',
  },
  {
    name: 'cash is counted twice',
    file: 'src/collection/payments/settlement/count-in-shift.ts',
    search: 'set cash_collected = s.cash_collected + ${cash},',
    replace: 'set cash_collected = s.cash_collected + ${cash} + ${cash},',
    scenario: 'cash',
  },
  {
    name: 'the copy of facts misses the oldest transaction that was under way',
    file: 'src/platform/analytics/source.ts',
    search: 'c.xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot)',
    replace: 'c.xid > pg_snapshot_xmin(${snapshot}::pg_snapshot)',
    scenario: 'figures',
  },
  {
    name: 'one shilling too much or too little pays',
    file: 'src/collection/money/receive.ts',
    search: 'if (paid.amount.equals(due.amount)) return null;',
    replace: 'if (paid.amount.minus(due.amount).abs().lessThan(2)) return null;',
    scenario: 'numbers',
  },
  {
    name: 'a claim is forgotten before it is decided on',
    file: 'src/collection/callbacks/billers/prove.ts',
    search: '  await decideOn(\n    call,\n    biller,\n    { ...transaction,',
    replace: `  await call.db.rows(sql\`delete from payment_claim where provider = \${provider} and txn_id = \${txnId}\`);
  await new Promise((wake) => setTimeout(wake, 1_000));
  await decideOn(
    call,
    biller,
    { ...transaction,`,
    scenario: 'numbers',
  },
  {
    name: 'no agency gets the notice of a payment',
    file: 'src/collection/propagation/enter.ts',
    search: "where m.interaction_mode = 'B'",
    replace: "where m.interaction_mode = 'C'",
    scenario: 'numbers',
  },
  {
    name: 'a text is sent again after a process died',
    file: 'src/collection/citizens/messages/send.ts',
    search: 'select name, (claimed_at is not null)::int + (',
    replace: 'select name, 0 * (',
    scenario: 'numbers',
  },
];

/** A file with a fault in it. */
export function breakFile(text: string, { name, file, search, replace }: Mutant): string {
  const times = text.split(search).length - 1;
  if (times !== 1) throw new Error(`“${name}” is not up to date: its text is in ${file} ${times} times`);
  return text.replace(search, () => replace);
}
