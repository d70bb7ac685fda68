// What a good engineer would write by hand for two endpoints: Express and Prisma, the same authentication, the same
// JSON.
import { PrismaPg } from '@prisma/adapter-pg';
import express, { type NextFunction, type Request, type Response } from 'express';
import { createHash } from 'node:crypto';
import { statementName } from '../../src/platform/database/sql.ts';
import { PrismaClient } from '../../src/generated/prisma/client.ts';

const adapter = new PrismaPg(
  { connectionString: process.env['DATABASE_URL']!, max: Number(process.env['DATABASE_POOL']) },
  { statementNameGenerator: (query) => statementName(query.sql) },
);
const prisma = new PrismaClient({ adapter });
const app = express();
app.disable('x-powered-by');
app.disable('etag');

interface Caller {
  readonly integrator: string;
  readonly scopes: readonly string[];
}

async function authenticate(req: Request, res: Response, next: NextFunction): Promise<void> {
  const token = /^Bearer (\S+)$/.exec(req.headers.authorization ?? '')?.[1];
  const key =
    token &&
    (await prisma.apiKey.findUnique({
      where: { hash: createHash('sha256').update(token).digest() },
      select: { integrator: true, scopes: true, status: true, expiresAt: true, owner: { select: { status: true } } },
    }));
  const live =
    key && key.status !== 'revoked' && key.owner.status === 'Active' && (!key.expiresAt || key.expiresAt > new Date());
  if (!live)
    return void res
      .status(401)
      .json({ error: { code: 'unauthenticated', message: 'The key is unknown, revoked or expired' } });
  res.locals['caller'] = { integrator: key.integrator, scopes: key.scopes } satisfies Caller;
  next();
}

app.get('/v1/assessments/:name', authenticate, async (req, res) => {
  const caller = res.locals['caller'] as Caller;
  if (!caller.scopes.includes('assessments.write') && !caller.scopes.includes('assessments.read')) {
    return void res
      .status(403)
      .json({ error: { code: 'forbidden', message: 'This key lacks the scope assessments.read' } });
  }
  const row = await prisma.assessment.findUnique({
    where: { name: req.params['name'] as string, integrator: caller.integrator },
    include: { lines: { orderBy: { idx: 'asc' } } },
  });
  if (!row)
    return void res.status(404).json({ error: { code: 'not_found', message: 'The assessment does not exist' } });
  res.json({
    data: {
      name: row.name,
      citizen: row.citizen,
      status: row.status,
      currency: row.currency,
      total_amount: row.totalAmount.toNumber(),
      shift: row.shift,
      cancel_reason: row.cancelReason,
      assessed_at: row.assessedAt,
      paid_at: row.paidAt,
      cancelled_at: row.cancelledAt,
      created_at: row.createdAt,
      updated_at: row.updatedAt,
      lines: row.lines.map((line) => ({
        idx: line.idx,
        service: line.service,
        service_name: line.serviceName,
        mda: line.mda,
        quantity: line.quantity,
        rate: line.rate.toNumber(),
        amount: line.amount.toNumber(),
      })),
    },
  });
});

app.get('/v1/services', authenticate, async (req, res) => {
  const limit = Number(req.query['limit'] ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > 500) {
    return void res
      .status(422)
      .json({ error: { code: 'validation_failed', message: 'limit: must be between 1 and 500' } });
  }
  const rows = await prisma.service.findMany({ where: { status: 'Active' }, orderBy: { name: 'asc' }, take: limit });
  res.json({
    data: rows.map((row) => ({
      name: row.name,
      service_name: row.serviceName,
      code: row.code,
      mda: row.mda,
      sector: row.sector,
      family: row.family,
      status: row.status,
      fee_amount: row.feeAmount.toNumber(),
      currency: row.currency,
      created_at: row.createdAt,
      updated_at: row.updatedAt,
    })),
  });
});

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`listening on http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}\n`);
});
process.on('SIGTERM', () => {
  server.closeAllConnections();
  server.close(() => void prisma.$disconnect());
});
