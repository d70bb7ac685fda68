import { afterAll, beforeAll } from 'vitest';
import { type Actor, makeActor } from '../harness/flow.ts';
import { TestRail } from '../harness/rail.ts';
import { type StaffActor, makeStaff } from '../harness/people/staff.ts';
import { type Sink, openSink } from '../harness/sink.ts';

/** A rail that sends its messages, who operates it, and where integrators hear of them. */
interface Listening {
  rail: TestRail;
  sink: Sink;
  admin: StaffActor;
  /** An integrator whose endpoint is a path of the sink. */
  listener(path: string): Promise<Actor>;
}

/** For the tests of one file: its members are there once these begin. */
export function railWithListeners(): Listening {
  const setting = {
    async listener(path: string): Promise<Actor> {
      const actor = await makeActor(setting.rail);
      await actor.ask('/v1/me', { method: 'PATCH', body: { webhook_endpoint: setting.sink.url + path } });
      return actor;
    },
  } as Listening;
  beforeAll(async () => {
    setting.sink = await openSink();
    setting.rail = new TestRail({ JOBS: 'on', WEBHOOK_ALLOW_PRIVATE: '1' });
    await setting.rail.start();
    setting.admin = await makeStaff(setting.rail, 'system_manager');
  });
  afterAll(async () => {
    await setting.rail.stop();
    await setting.sink.close();
  });
  return setting;
}
