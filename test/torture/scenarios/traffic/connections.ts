import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { payDuring } from '../../run/paying.ts';
import type { Scenario } from '../../run/scenario.ts';

/** One connection in eleven is slow. */
const SLOW_EVERY = 11;
const HEAD =
  'POST /v1/assessments HTTP/1.1\r\nHost: rail\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n';
/** For how long clients pay meanwhile, at least. */
const LEAST_S = 10;
/** Most time that slow requests last: 60 s until they are late, 30 s until the next check, and some more. */
const MOST_S = 100;

export const connections: Scenario = {
  name: 'connections',
  title: 'idle connections, and slow ones',
  promise:
    'While 2,000 connections say nothing and 200 send a byte now and then, clients pay as if they were alone. Slow requests are ended.',
  unit: 'connections',
  full: 2_200,
  floor: 220,
  share: 2,
  async run(context) {
    const place = await context.open();
    await place.start(1);
    const { origin } = place.processes[0]!;
    const sockets: Socket[] = [];
    context.atEnd(() => sockets.forEach((socket) => socket.destroy()));
    await payDuring(context, { place, clients: 4 }, async (payers) => {
      const slow: Socket[] = [];
      while (context.more()) {
        const socket = await open(origin);
        if (!socket) {
          context.losses.push(`connection ${context.tried} was refused`);
          continue;
        }
        sockets.push(socket);
        if (context.tried % SLOW_EVERY > 0) continue;
        slow.push(socket);
        socket.write(HEAD);
      }
      const paid = () => payers.reduce((sum, { acknowledged }) => sum + acknowledged.confirm.length, 0);
      const before = paid();
      const isOpen = ({ destroyed }: Socket) => !destroyed;
      for (let second = 0; second < LEAST_S || (second < MOST_S && slow.some(isOpen)); second++) {
        for (const socket of slow.filter(isOpen)) socket.write('X-Slow: 1\r\n');
        await sleep(1_000);
      }
      context.count('idle at the end', sockets.filter(isOpen).length);
      context.lose(
        'slow requests not ended',
        slow.filter(isOpen).map((_, nth) => `the ${nth + 1}. is still open`),
      );
      context.hold(paid() > before, () => 'nothing was paid meanwhile');
      context.hold(place.processes[0]!.alive(), () => 'the process ended');
    });
  },
};

/** A connection to an address; null where it is refused. */
async function open(origin: string): Promise<Socket | null> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const refused = await once(socket, 'connect').then(
    () => false,
    () => true,
  );
  // That the other side ends it is what is waited for; it says so by `destroyed`.
  socket.on('error', () => socket.destroy());
  socket.resume();
  return refused ? null : socket;
}
