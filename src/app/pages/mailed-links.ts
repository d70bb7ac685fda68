import type { Request } from 'express';
import type { Call } from '../../platform/call/call.ts';
import { retryHeadersOf } from '../../platform/call/limits.ts';
import { explain } from '../../graphql/errors.ts';
import { refuseValue, statusOf } from '../../kernel/refusal.ts';
import type { OperationName, Run } from './page-operations.ts';
import { type Page, view } from './answer.ts';

/** What a link that is mailed to staff leads to. */
interface LinkPage {
  readonly path: string;
  readonly title: string;
  readonly operation: OperationName;
}

/** The pages on which staff choose a password: only the form uses a link up, and so nothing that looks at mail. */
export const LINK_PAGES: readonly LinkPage[] = [
  { path: '/work/invitation', title: 'Accept your invitation', operation: 'acceptInvitation' },
  { path: '/work/password-reset', title: 'Choose a new password', operation: 'completePasswordReset' },
];

/** Shows the form of a link; whether the link works is seen once it is used. */
export function showLink(page: LinkPage, call: Call, req: Request): Page {
  return form(page, new URL(req.originalUrl, call.origin).searchParams.get('token') ?? '');
}

interface Filled {
  readonly token: string;
  readonly password: string;
  readonly repeated: string;
}

/** Sets the password, and says so; what is wrong with it is said above the form. */
export async function useLink(run: Run, call: Call, page: LinkPage, filled: Filled): Promise<Page> {
  const { token, password, repeated } = filled;
  try {
    if (password !== repeated) throw refuseValue('repeated', 'must be the same as the new password');
    const { [page.operation]: done } = await run(page.operation, call, { token, password });
    const { message } = done as { message: string };
    return { view: view('message', { title: page.title, paragraphs: [message], link: null }) };
  } catch (error) {
    const refusal = explain(error, call);
    if (statusOf[refusal.code] >= 500) throw error;
    const shown = form(page, token, refusal.message);
    return { ...shown, status: statusOf[refusal.code], headers: retryHeadersOf(refusal) };
  }
}

function form({ path, title }: LinkPage, token: string, error?: string) {
  return { view: view('password', { title, action: path, token, error }) };
}
