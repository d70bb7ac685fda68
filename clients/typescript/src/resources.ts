import type { Calls } from './calls.ts';
import type { CallOptions } from './send.ts';
import type { BodyOf, QueryOf } from './types.ts';

type Options = CallOptions | undefined;

/** Functions for what integrators do most; a call of any other path is as typed. */
export function resourcesOf({ get, post, list }: Calls) {
  const at = (name: string, options: Options) => ({ path: { name }, ...options });
  return {
    mdas: {
      list: (query: QueryOf<'/v1/mdas'> = {}, options?: Options) => list('/v1/mdas', { query, ...options }),
      get: (name: string, options?: Options) => get('/v1/mdas/{name}', at(name, options)),
    },
    services: {
      list: (query: QueryOf<'/v1/services'> = {}, options?: Options) => list('/v1/services', { query, ...options }),
      get: (name: string, options?: Options) => get('/v1/services/{name}', at(name, options)),
    },
    citizens: {
      list: (query: QueryOf<'/v1/citizens'> = {}, options?: Options) => list('/v1/citizens', { query, ...options }),
      get: (name: string, options?: Options) => get('/v1/citizens/{name}', at(name, options)),
      search: (nin: string, options?: Options) => get('/v1/citizens/search', { query: { nin }, ...options }),
      register: (body: BodyOf<'post', '/v1/citizens/register'>, options?: Options) =>
        post('/v1/citizens/register', { body, ...options }),
    },
    assessments: {
      list: (query: QueryOf<'/v1/assessments'> = {}, options?: Options) =>
        list('/v1/assessments', { query, ...options }),
      get: (name: string, options?: Options) => get('/v1/assessments/{name}', at(name, options)),
      create: (body: BodyOf<'post', '/v1/assessments'>, options?: Options) =>
        post('/v1/assessments', { body, ...options }),
      /** Fixes the prices of a Draft. */
      assess: (name: string, options?: Options) => post('/v1/assessments/{name}:assess', at(name, options)),
      cancel: (name: string, body: BodyOf<'post', '/v1/assessments/{name}:cancel'> = {}, options?: Options) =>
        post('/v1/assessments/{name}:cancel', { ...at(name, options), body }),
    },
    paymentIntents: {
      list: (query: QueryOf<'/v1/payment-intents'> = {}, options?: Options) =>
        list('/v1/payment-intents', { query, ...options }),
      get: (name: string, options?: Options) => get('/v1/payment-intents/{name}', at(name, options)),
      create: (body: BodyOf<'post', '/v1/payment-intents'>, options?: Options) =>
        post('/v1/payment-intents', { body, ...options }),
      /** Asks the aggregator to collect. */
      initiate: (name: string, body: BodyOf<'post', '/v1/payment-intents/{name}:initiate'> = {}, options?: Options) =>
        post('/v1/payment-intents/{name}:initiate', { ...at(name, options), body }),
      /** Asks the aggregator how the collection stands. */
      confirm: (name: string, options?: Options) => post('/v1/payment-intents/{name}:confirm', at(name, options)),
      trace: (name: string, options?: Options) => get('/v1/payment-intents/{name}/trace', at(name, options)),
    },
    paymentEvents: {
      list: (query: QueryOf<'/v1/payment-events'> = {}, options?: Options) =>
        list('/v1/payment-events', { query, ...options }),
    },
  };
}

export type Resources = ReturnType<typeof resourcesOf>;
