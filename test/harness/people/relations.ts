import { randomUUID } from 'node:crypto';
import type { Role } from '../../../src/platform/access/needs.ts';
import type { TestRail } from '../rail.ts';
import { enrol } from './second-factor.ts';
import { type StaffActor, enterStaff } from './staff.ts';

type Pair = readonly [StaffActor, StaffActor];

/** A relation between two people who decide, and whether it leaves them independent. */
export interface Relation {
  readonly name: string;
  readonly independent: boolean;
  /** Two people of a role who stand so. */
  make(rail: TestRail, role: Role): Promise<Pair>;
}

const someone = () => `${randomUUID()}@agency.example`;

/** Somebody whom nobody but the command line has made what they are. */
const stranger = (rail: TestRail, role: Role) => enterStaff(rail, someone(), [role]);

async function act(by: StaffActor, path: string, body: object, method = 'POST'): Promise<void> {
  const answer = await by.ask(`/v1/ops/staff${path}`, { method, body });
  if (answer.status !== 200) throw new Error(answer.text);
}

/** Somebody whom another invited; the role is given by the command line, which counts for nobody. */
async function invite(rail: TestRail, by: StaffActor, role: Role): Promise<StaffActor> {
  const email = someone();
  await act(by, '', { email, name: 'Invited', roles: ['clerk'] });
  return enterStaff(rail, email, [role]);
}

/** Two people of whom the first, an admin meanwhile, has done something to the second. */
function after(done: (rail: TestRail, by: StaffActor, to: StaffActor) => Promise<void>): Relation['make'] {
  return async (rail, role) => {
    const [by, to] = [await stranger(rail, 'admin'), await stranger(rail, 'clerk')];
    await done(rail, by, to);
    return [await enterStaff(rail, by.email, [role]), await enterStaff(rail, to.email, [role])];
  };
}

const inviter: Relation['make'] = async (rail, role) => {
  const by = await stranger(rail, 'admin');
  const invited = await invite(rail, by, role);
  return [await enterStaff(rail, by.email, [role]), invited];
};

const reverse = (make: Relation['make']): Relation['make'] => {
  return async (rail, role) => (await make(rail, role)).toReversed() as unknown as Pair;
};

const because = 'A reason';

/** Every relation; the last one moves the clock of the rail, and all sessions but its two are over. */
export const RELATIONS: readonly Relation[] = [
  {
    name: 'the same person',
    independent: false,
    make: async (rail, role) => {
      const one = await stranger(rail, role);
      return [one, one];
    },
  },
  { name: 'who invited the other', independent: false, make: inviter },
  { name: 'who was invited by the other', independent: false, make: reverse(inviter) },
  {
    name: 'invited by the same person',
    independent: false,
    make: async (rail, role) => {
      const by = await stranger(rail, 'admin');
      return [await invite(rail, by, role), await invite(rail, by, role)];
    },
  },
  {
    name: 'invited by somebody whom the other invited',
    independent: false,
    make: async (rail, role) => {
      const first = await stranger(rail, 'admin');
      const between = await invite(rail, first, 'admin');
      return [await invite(rail, between, role), await enterStaff(rail, first.email, [role])];
    },
  },
  {
    name: 'reactivated by the other',
    independent: false,
    make: after(async (_rail, by, { email }) => {
      await act(by, `/${email}:deactivate`, { reason: because });
      await act(by, `/${email}:reactivate`, { reason: because });
    }),
  },
  {
    name: 'of other roles by the other',
    independent: false,
    make: after((_rail, by, { email }) => act(by, `/${email}`, { roles: ['auditor'] }, 'PATCH')),
  },
  {
    name: 'of other agencies by the other',
    independent: false,
    make: after((_rail, by, { email }) => act(by, `/${email}`, { agencies: ['URA'] }, 'PATCH')),
  },
  {
    name: 'asked to be an admin by the other',
    independent: false,
    make: after((_rail, by, { email }) => act(by, `/${email}`, { roles: ['clerk', 'admin'] }, 'PATCH')),
  },
  {
    name: 'without a second factor by the other',
    independent: false,
    make: after(async (rail, by, { email, cookie }) => {
      await enrol(rail, cookie);
      await act(by, `/${email}:reset-second-factor`, { reason: because });
    }),
  },
  {
    name: 'of another name by the other',
    independent: true,
    make: after((_rail, by, { email }) => act(by, `/${email}`, { name: 'Another Name' }, 'PATCH')),
  },
  {
    name: 'who both changed the roles of a third',
    independent: true,
    make: async (rail, role) => {
      const [one, other] = [await stranger(rail, 'admin'), await stranger(rail, 'admin')];
      const { email } = await stranger(rail, 'clerk');
      await act(one, `/${email}`, { roles: ['auditor'] }, 'PATCH');
      await act(other, `/${email}`, { roles: ['clerk'] }, 'PATCH');
      return [await enterStaff(rail, one.email, [role]), await enterStaff(rail, other.email, [role])];
    },
  },
  {
    name: 'independent',
    independent: true,
    make: async (rail, role) => [await stranger(rail, role), await stranger(rail, role)],
  },
  {
    name: 'who invited the other 91 days ago',
    independent: true,
    make: async (rail, role) => {
      const [by, invited] = await inviter(rail, role);
      rail.advance(91 * 24);
      return [await enterStaff(rail, by.email, [role]), await enterStaff(rail, invited.email, [role])];
    },
  },
];

/** One of four, the last of which is independent: for what `approvals.test.ts` asks of all. */
export const SOME_RELATIONS = RELATIONS.filter((_, index) => index % 4 === 1);
