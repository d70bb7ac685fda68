import type { Actor } from '../flow.ts';
import type { Answer, TestRail } from '../rail.ts';
import { sendForm } from '../../site/forms/sending.ts';

/** The query for the page of a payment link, and its fields. */
const PAGE = `{ payPage { state totalAmount payerInitials lines { serviceName } ways { channel needsPhone } paidByNumber
  attempt { id channel status failureReason madeUp nextAction { type url } } reference { number status }
  receipts { id status contents { kind amount } } returnUrl } }`;
const FIELDS = PAGE.slice(PAGE.indexOf('payPage {') + 'payPage '.length, -2);

/** Somebody who was sent a payment link. */
export class LinkHolder {
  readonly name: string;
  readonly token: string;
  readonly #rail: TestRail;

  constructor(rail: TestRail, { name, url }: { readonly name: string; readonly url: string }) {
    this.#rail = rail;
    this.name = name;
    this.token = url.slice(url.lastIndexOf('/') + 1);
  }

  get path(): string {
    return `/pay/${this.token}`;
  }

  ask(query: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.#rail.ask('/graphql', { key: this.token, body: { query }, headers });
  }

  // oxlint-disable-next-line typescript/no-explicit-any
  async page(): Promise<any> {
    return (await this.ask(PAGE)).data.payPage;
  }

  change(field: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.ask(`mutation { ${field} ${FIELDS} }`, headers);
  }

  /** Opens a page as a browser does that runs no script. */
  open(path = '', headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.#rail.ask(this.path + path, { headers: { accept: 'text/html', ...headers } });
  }

  send(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
    return sendForm(this.#rail, this.path + path, null, { _page: this.path, ...fields });
  }
}

/** Makes a payment link, and hands it to somebody. */
export async function makeLink(
  rail: TestRail,
  actor: Pick<Actor, 'post'>,
  assessment: string,
  more: object = {},
): Promise<LinkHolder> {
  const { status, data, text } = await actor.post('/v1/payment-links', { assessment, ...more });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return new LinkHolder(rail, data);
}
