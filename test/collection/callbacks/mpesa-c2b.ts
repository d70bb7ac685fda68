import type { ServerOptions } from 'node:https';
import { deliverCallback } from '../../../src/sandbox/simulators/callbacks.ts';
import {
  IssuedTokens,
  createApplication,
  createTrouble,
  readCredential,
  readParameter,
  serveApplication,
} from '../../../src/sandbox/simulators/web.ts';

const CREDENTIALS = { consumer_key: 'sim-consumer-key', consumer_secret: 'sim-consumer-secret' };
const SHORT_CODE = '600984';
const PAGE = 100;
const NAIROBI_MS = 3 * 3_600_000;

/** A payment that M-Pesa took, whether it told the rail or not. */
interface Taken {
  readonly txnId: string;
  readonly reference: string;
  readonly amount: number;
  readonly at: Date;
  readonly type: string;
}

const nairobi = (at: Date) => new Date(at.getTime() + NAIROBI_MS).toISOString().slice(0, 19).replace('T', ' ');

/** M-Pesa's C2B as Daraja has it: what payers pay to a short code, and its Pull Transactions API. */
export async function simulateMpesaC2b(origin: () => string, name: string, tls?: ServerOptions) {
  const trouble = createTrouble();
  const tokens = new IssuedTokens(3_599);
  const taken: Taken[] = [];
  const app = createApplication(trouble);
  const basic = Buffer.from(Object.values(CREDENTIALS).join(':')).toString('base64');

  app.get('/oauth/v1/generate', (req, res) => {
    if (readCredential(req, 'Basic') !== basic || readParameter(req, 'grant_type') !== 'client_credentials')
      return void res.status(400).json({ errorCode: '400.008.01', errorMessage: 'Invalid Authentication passed' });
    res.json({ access_token: tokens.issue(), expires_in: String(tokens.lifeSeconds) });
  });

  app.post('/pulltransactions/v1/query', (req, res) => {
    if (!tokens.accepts(req))
      return void res.status(401).json({ errorCode: '401.003.01', errorMessage: 'Invalid Access Token' });
    const { ShortCode, StartDate, EndDate, OffSetValue } = req.body as Record<string, string>;
    if (ShortCode !== SHORT_CODE || !StartDate || !EndDate)
      return void res.status(400).json({ errorCode: '400.002.02', errorMessage: 'Bad Request' });
    const rows = taken.filter(({ at }) => nairobi(at) >= StartDate && nairobi(at) <= EndDate);
    const page = rows.slice(Number(OffSetValue), Number(OffSetValue) + PAGE);
    const found = page.length > 0;
    res.json({
      ResponseRefID: '26178-42530161-2',
      ResponseCode: found ? '1000' : '1001',
      ResponseMessage: found ? 'Success' : 'No transactions',
      Response: [
        page.map(({ txnId, reference, amount, at, type }) => ({
          transactionId: txnId,
          trxDate: `${nairobi(at).replace(' ', 'T')}Z`,
          msisdn: 722_000_000,
          sender: 'MPESA',
          transactiontype: type,
          billreference: reference,
          amount: amount.toFixed(2),
          organizationname: 'Revenue Rail',
        })),
      ],
    });
  });

  const served = await serveApplication(app, tls);

  /** A message of C2B, with the names and the number that M-Pesa sends along. */
  const write = ({ txnId, reference, amount, at }: Omit<Taken, 'type'>) =>
    JSON.stringify({
      TransactionType: 'Pay Bill',
      TransID: txnId,
      TransTime: nairobi(at).replaceAll(/\D/g, ''),
      TransAmount: amount.toFixed(2),
      BusinessShortCode: SHORT_CODE,
      BillRefNumber: reference,
      InvoiceNumber: '',
      OrgAccountBalance: '49197.00',
      ThirdPartyTransID: '',
      MSISDN: '254708374149',
      FirstName: 'Wanjiru',
      MiddleName: '',
      LastName: 'Kamau',
    });

  return {
    ...served,
    trouble,
    tokens,
    taken,
    connection: {
      form: 'mpesa_c2b',
      name,
      country: 'KE',
      currencies: ['KES'],
      channels: ['ussd'],
      url: served.url,
      short_code: SHORT_CODE,
      ...CREDENTIALS,
    },
    write,
    /** Takes money, and tells the rail unless the word of it is lost. */
    async take(entry: Omit<Taken, 'type'>, { type = 'c2b-pay-bill-debit', lost = false } = {}): Promise<void> {
      taken.push({ ...entry, type });
      if (!lost) await deliverCallback(`${origin()}/v1/billers/${name}/confirmation`, 'POST', write(entry));
    },
  };
}
