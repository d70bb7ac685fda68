import { bodyOf, refusalOf } from "./errors.js";
import { listOf, nextOf } from "./lists.js";
import { send } from "./send.js";
export function callsOf(client) {
    const request = async (method, path, input = {}) => (await send(client, method, path, input, readJson)).data;
    const by = (method) => (path, input) => request(method, path, input);
    return {
        get: by('GET'),
        post: by('POST'),
        put: by('PUT'),
        patch: by('PATCH'),
        delete: by('DELETE'),
        list: (path, { query, ...others } = {}) => listOf(async (after) => {
            const input = { ...others, query: { ...query, ...(after !== undefined && { after }) } };
            const { data, next } = await send(client, 'GET', path, input, readJson);
            return { rows: data, next };
        }),
        request,
        raw: (method, path, input = {}) => send(client, method, path, input, (response) => response),
    };
}
/** What is in the envelope of an answer, if it has one, and what its next page comes after. */
async function readJson(response) {
    const body = await bodyOf(response);
    if (!body)
        throw refusalOf(response, body);
    return { data: 'data' in body ? body.data : body, next: nextOf(response) };
}
