import { callsOf } from "./calls.js";
import { dashboardsOf } from "./dashboards.js";
import { resourcesOf } from "./resources.js";
import { webhooks } from "./webhooks.js";
/** What a request takes beyond the time that the rail waits. */
const MARGIN_MS = 10_000;
/** A client of a rail. */
export function createClient(options) {
    const calls = callsOf(options);
    async function* poll({ after, types, wait = 25, limit, ...others } = {}) {
        for (let last = after;;) {
            const input = { timeoutMs: wait * 1_000 + MARGIN_MS, ...others, query: { after: last, types, wait, limit } };
            const events = (await calls.request('GET', '/v1/events', input));
            for (const event of events) {
                yield event;
                last = event.id;
            }
            if (wait === 0 && events.length === 0)
                return;
        }
    }
    const get = (id, call = {}) => calls.get('/v1/events/{id}', { path: { id }, ...call });
    return { ...calls, ...resourcesOf(calls), events: { poll, get }, webhooks, operations: dashboardsOf(options) };
}
