import { rmSync } from 'node:fs';
import { findBroken } from '../../../harness/chaos/invariants.ts';
import { expose } from '../../../harness/chaos/kills.ts';
import { TWO_LINES_TOTAL } from '../../../harness/flow.ts';
import { Payer } from '../../../harness/people/payer.ts';
import { OwnPostgres } from '../../../harness/postgres.ts';
import { serve } from '../../../harness/processes.ts';
import { findCommitBefore, unpack } from '../../../harness/run/versions.ts';
import { whileKilling } from '../../run/killing.ts';
import { comparePayers } from '../../run/paying.ts';
import { DEFAULTS } from '../../run/place.ts';
import { untilSettled } from '../../run/points.ts';
import type { Scenario } from '../../run/scenario.ts';

const CLIENTS = 4;

export const versions: Scenario = {
  name: 'versions',
  title: 'a process of the version before and one of this version on one database, which are killed in turns',
  promise:
    'Clients pay by either version, and repeat at one what the other answered. Nothing that was acknowledged is lost or carried out twice.',
  unit: 'payments',
  full: 1_000,
  floor: 40,
  share: 2,
  missing: () => (findCommitBefore() === null ? 'this is no clone that has the version before' : null),
  async run(context) {
    const folder = unpack(findCommitBefore()!);
    context.atEnd(() => rmSync(folder, { recursive: true, force: true }));
    const postgres = await OwnPostgres.start();
    const env = { ...DEFAULTS, DATA_DIR: `${folder}/.data` };
    const { processes, shop } = await expose(postgres, 1, env, folder);
    const place = await context.open({}, postgres);
    await place.start(1);
    const former = () =>
      serve(`${folder}/src/app/main.ts`, { ...place.environment, PORT: '0', DATA_DIR: env.DATA_DIR });
    place.adopt(processes[0]!, former);
    const payers = Array.from(
      { length: CLIENTS },
      () =>
        new Payer({
          ...shop,
          get origins() {
            return place.origins;
          },
          random: context.random,
          repeated: 0.5,
        }),
    );
    await whileKilling(context, place, () =>
      context.spread(CLIENTS, (hand) => payers[hand]!.payInAnyWay(TWO_LINES_TOTAL)),
    );
    context.lose(
      'invariants broken by the two',
      await untilSettled(place, () => findBroken((text) => place.query(text))),
    );
    await comparePayers(context, place, payers);
  },
};
