import { builder, limitedByAddress, welcomes } from '../../graphql/builder.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { email } from '../../graphql/input/forms.ts';
import { IntegratorType } from '../integrators/schema.ts';
import { type Consumption, consumeLink } from './consume.ts';
import { type CurrentSession, currentSession, logOut } from './current.ts';
import { type SignInRequest, requestSignIn } from './request.ts';
import { LINK_TOKEN } from './tokens.ts';

const SessionType = builder.objectRef<CurrentSession>('Session').implement({
  description: 'Who calls.',
  fields: (t) => ({
    authenticated: t.exposeBoolean('authenticated', { description: 'Whether a session or key that holds was presented.' }),
    integrator: t.expose('integrator', { type: IntegratorType, nullable: true, description: 'The account that it is for; null for nobody.' }),
  }),
});

const SignInRequestType = builder.objectRef<SignInRequest>('SignInRequest').implement({
  description: 'That a link was asked for.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'The same whatever the address.' }),
    devConsumeUrl: t.exposeString('devConsumeUrl', {
      nullable: true,
      description: 'The link itself, on deployments that reveal it to developers; else null.',
    }),
  }),
});

const ConsumptionType = builder.objectRef<Consumption>('SignIn').implement({
  description: 'What came of following a link.',
  fields: (t) => ({
    location: t.exposeString('location', {
      description:
        '`/dashboard` with a session cookie, or `/signin/expired` without one; `/signin/confirm`, where nothing is used up yet, for a client that asks for a page without the Fetch Metadata of browsers.',
    }),
  }),
});

const LogOutType = builder.objectRef<{ message: string }>('LogOut').implement({
  description: 'That a session has ended.',
  fields: (t) => ({ message: t.exposeString('message', { description: 'For people.' }) }),
});

builder.queryFields((t) => ({
  session: t.field({
    type: SessionType,
    description: 'Who calls, by session or key. Open to everyone.',
    ...welcomes('integrators'),
    resolve: (_root, _args, call) => currentSession(call),
  }),
}));

builder.mutationFields((t) => ({
  requestSignIn: t.field({
    type: SignInRequestType,
    description:
      'Mails a link that signs in, if the address is that of an active account; the answer does not tell. Open to everyone. `rate_limited`: one a minute and 5 a UTC day, whatever the address.',
    ...limitedByAddress({ namedBy: 'email' }),
    args: { email: t.arg.string({ required: true, description: 'Where the link goes.', ...email }) },
    resolve: (_root, args, call) => requestSignIn(call, args),
  }),
  consumeSignInLink: t.field({
    type: ConsumptionType,
    description: 'Follows a link: sets the session cookie for 14 days. A link works once, within 15 minutes.',
    ...welcomes('integrators'),
    args: {
      token: t.arg.string({ description: 'The token of the link, `^[A-Z0-9-]{3,64}\\.[A-Z2-9]{32}$`.', ...shape({ pattern: LINK_TOKEN.source }) }),
    },
    resolve: (_root, { token }, call) => consumeLink(call, token),
  }),
  logOut: t.field({
    type: LogOutType,
    description: 'Ends the session. Open to everyone: without one there is nothing to end.',
    ...welcomes('integrators'),
    resolve: (_root, _args, call) => logOut(call),
  }),
}));
