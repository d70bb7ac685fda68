export { createClient } from "./client.js";
export { RailError } from "./errors.js";
export { webhooks } from "./webhooks.js";
