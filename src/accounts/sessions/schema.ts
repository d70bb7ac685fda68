import { builder, limitByAddress, welcome } from '../../graphql/builder.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { email, freeText } from '../../graphql/input/forms.ts';
import { IntegratorType } from '../integrators/integrator-schema.ts';
import { type Consumption, consumeLink } from './consume.ts';
import { type CurrentSession, getCurrentSession, logOut } from './current.ts';
import { VerificationType, verificationArgs } from '../integrators/sign-up/schema.ts';
import { verifySignUpAgain } from '../integrators/sign-up/verify.ts';
import { type SignInRequest, requestSignIn } from './request.ts';
import { verifySignUpInBrowser } from './verify.ts';
import { LINK_TOKEN } from './tokens.ts';
import { LONGEST_RETURN } from '../../kernel/text/own-path.ts';

const SessionType = builder.objectRef<CurrentSession>('Session').implement({
  description: 'The caller, as far as a session cookie or a key says who it is.',
  fields: (t) => ({
    authenticated: t.exposeBoolean('authenticated', {
      description: 'True if the caller presented a valid session or key.',
    }),
    integrator: t.expose('integrator', {
      type: IntegratorType,
      nullable: true,
      description: 'The account of the caller; null if not authenticated.',
    }),
  }),
});

const SignInRequestType = builder.objectRef<SignInRequest>('SignInRequest').implement({
  description: 'The result of requesting a sign-in link.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'A message for the user, the same for every address.' }),
    devConsumeUrl: t.exposeString('devConsumeUrl', {
      nullable: true,
      description: 'The link itself, on deployments that reveal it to developers; otherwise null.',
    }),
  }),
});

const ConsumptionType = builder.objectRef<Consumption>('SignIn').implement({
  description: 'The result of following a sign-in link.',
  fields: (t) => ({
    location: t.exposeString('location', {
      description:
        'Path to go to next: the one for which the link was requested, or `/dashboard`, with a session cookie, or `/signin/expired` without one. Clients that ask for a page without the Fetch Metadata headers of browsers are sent to `/signin/confirm` and the link stays unused.',
    }),
  }),
});

export interface LoggedOut {
  readonly message: string;
  readonly signOutUrl?: string | null;
}

/** Answer to logging out, for everybody. */
export const LogOutType = builder.objectRef<LoggedOut>('LogOut').implement({
  description: 'The result of logging out.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'A message for the user.' }),
    signOutUrl: t.string({
      nullable: true,
      description:
        'Address at which the browser signs out of the identity provider too, if a member of staff signed in there. Null for everybody else, and where the provider has no such address or does not answer.',
      resolve: ({ signOutUrl }) => signOutUrl ?? null,
    }),
  }),
});

builder.queryFields((t) => ({
  session: t.field({
    type: SessionType,
    description: 'Returns who is calling, by session or key. No authentication required.',
    ...welcome('integrators'),
    resolve: (_root, _args, call) => getCurrentSession(call),
  }),
}));

builder.mutationFields((t) => ({
  requestSignIn: t.field({
    type: SignInRequestType,
    description:
      'Sends a sign-in link by e-mail if the address belongs to an active account. The response is the same either way. No authentication required. `rate_limited`: one request a minute and 5 a UTC day.',
    ...limitByAddress({ namedBy: 'email' }),
    args: {
      email: t.arg.string({
        required: true,
        description: 'The e-mail address of the account, to which the link is sent.',
        ...email,
      }),
      returnTo: t.arg.string({
        description:
          'Path on this host that the link leads to once its reader is signed in. Default, and instead of any other: `/dashboard`.',
        ...freeText(LONGEST_RETURN),
      }),
    },
    resolve: (_root, args, call) => requestSignIn(call, args),
  }),
  verifySignUpInBrowser: t.field({
    type: VerificationType,
    description:
      'Does what `verifySignUp` does, and signs the browser in to the account: sets the session cookie for 14 days. Pages of other origins are refused. No authentication required. Its errors are those of `verifySignUp`.',
    ...limitByAddress({ namedBy: 'integratorId' }),
    args: verificationArgs,
    resolve: (_root, args, call) => verifySignUpInBrowser(call, args),
    // The session that the first answer opened is in the browser; where that was lost, a mailed link opens another.
    answerAgain: (call, name, { integratorId }) => verifySignUpAgain(call, integratorId, name),
  }),
  consumeSignInLink: t.field({
    type: ConsumptionType,
    description:
      'Signs in by a mailed link: sets the session cookie for 14 days. A link works once, within 15 minutes.',
    ...welcome('integrators'),
    args: {
      token: t.arg.string({
        description: 'The token of the link, `^[A-Z0-9-]{3,64}\\.[A-Z2-9]{32}$`.',
        ...shape({ pattern: LINK_TOKEN.source }),
      }),
    },
    resolve: (_root, { token }, call) => consumeLink(call, token),
  }),
  logOut: t.field({
    type: LogOutType,
    description:
      'Ends the session. No authentication required: without a session nothing happens. A key that is unknown, revoked or expired is refused with `unauthenticated`, as everywhere; `/v1/logout` clears the cookie all the same.',
    ...welcome('integrators'),
    resolve: (_root, _args, call) => logOut(call),
  }),
}));
