/** Functions for what integrators do most; a call of any other path is as typed. */
export function resourcesOf({ get, post, list }) {
    const at = (name, options) => ({ path: { name }, ...options });
    return {
        mdas: {
            list: (query = {}, options) => list('/v1/mdas', { query, ...options }),
            get: (name, options) => get('/v1/mdas/{name}', at(name, options)),
        },
        services: {
            list: (query = {}, options) => list('/v1/services', { query, ...options }),
            get: (name, options) => get('/v1/services/{name}', at(name, options)),
        },
        citizens: {
            list: (query = {}, options) => list('/v1/citizens', { query, ...options }),
            get: (name, options) => get('/v1/citizens/{name}', at(name, options)),
            search: (nin, options) => get('/v1/citizens/search', { query: { nin }, ...options }),
            register: (body, options) => post('/v1/citizens/register', { body, ...options }),
        },
        assessments: {
            list: (query = {}, options) => list('/v1/assessments', { query, ...options }),
            get: (name, options) => get('/v1/assessments/{name}', at(name, options)),
            create: (body, options) => post('/v1/assessments', { body, ...options }),
            /** Fixes the prices of a Draft. */
            assess: (name, options) => post('/v1/assessments/{name}:assess', at(name, options)),
            cancel: (name, body = {}, options) => post('/v1/assessments/{name}:cancel', { ...at(name, options), body }),
        },
        paymentIntents: {
            list: (query = {}, options) => list('/v1/payment-intents', { query, ...options }),
            get: (name, options) => get('/v1/payment-intents/{name}', at(name, options)),
            create: (body, options) => post('/v1/payment-intents', { body, ...options }),
            /** Asks the aggregator to collect. */
            initiate: (name, body = {}, options) => post('/v1/payment-intents/{name}:initiate', { ...at(name, options), body }),
            /** Asks the aggregator how the collection stands. */
            confirm: (name, options) => post('/v1/payment-intents/{name}:confirm', at(name, options)),
            trace: (name, options) => get('/v1/payment-intents/{name}/trace', at(name, options)),
        },
        paymentEvents: {
            list: (query = {}, options) => list('/v1/payment-events', { query, ...options }),
        },
    };
}
