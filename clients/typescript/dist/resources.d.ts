import type { Calls } from './calls.ts';
import type { CallOptions } from './send.ts';
import type { BodyOf, QueryOf } from './types.ts';
type Options = CallOptions | undefined;
/** Functions for what integrators do most; a call of any other path is as typed. */
export declare function resourcesOf({ get, post, list }: Calls): {
    mdas: {
        list: (query?: QueryOf<"/v1/mdas">, options?: Options) => import("./lists.ts").List<{
            name: string;
            mda_name: string;
            interaction_mode: "A" | "B" | "C";
            country: string;
            mda_type: string;
            status: "Active" | "Inactive" | "Sandbox";
            created_at: string;
            updated_at: string;
        }>;
        get: (name: string, options?: Options) => Promise<{
            name: string;
            mda_name: string;
            interaction_mode: "A" | "B" | "C";
            country: string;
            mda_type: string;
            status: "Active" | "Inactive" | "Sandbox";
            created_at: string;
            updated_at: string;
            collection_account_last4?: string;
        }>;
    };
    services: {
        list: (query?: QueryOf<"/v1/services">, options?: Options) => import("./lists.ts").List<{
            name: string;
            service_name: string;
            code: string;
            mda: string;
            sector: string;
            family: string;
            status: "Active" | "Inactive";
            fee_amount: number;
            currency: string;
            created_at: string;
            updated_at: string;
        }>;
        get: (name: string, options?: Options) => Promise<{
            name: string;
            service_name: string;
            code: string;
            mda: string;
            sector: string;
            family: string;
            status: "Active" | "Inactive";
            fee_amount: number;
            currency: string;
            created_at: string;
            updated_at: string;
        }>;
    };
    citizens: {
        list: (query?: QueryOf<"/v1/citizens">, options?: Options) => import("./lists.ts").List<{
            name: string;
            nin: string;
            full_name: string;
            phone: string | null;
            verified: boolean;
        }>;
        get: (name: string, options?: Options) => Promise<{
            name: string;
            nin: string;
            full_name: string;
            phone: string | null;
            verified: boolean;
            created_at: string;
            updated_at: string;
        }>;
        search: (nin: string, options?: Options) => Promise<{
            source: "local" | "nira" | "not_found";
            stub: boolean;
            citizen: {
                name: string | null;
                nin: string;
                full_name: string;
                phone: string | null;
                verified: boolean;
                created_at: string | null;
                updated_at: string | null;
            } | null;
        }>;
        register: (body: BodyOf<"post", "/v1/citizens/register">, options?: Options) => Promise<{
            citizen: import("./openapi.ts").components["schemas"]["Citizen"];
            created: boolean;
            source: "local" | "nira" | "not_found";
            consent_event: string | null;
        }>;
    };
    assessments: {
        list: (query?: QueryOf<"/v1/assessments">, options?: Options) => import("./lists.ts").List<{
            name: string;
            citizen: string;
            status: "Assessed" | "Cancelled" | "Draft" | "Paid";
            currency: string;
            total_amount: number;
            shift: string | null;
            cancel_reason: string | null;
            assessed_at: string | null;
            paid_at: string | null;
            cancelled_at: string | null;
            created_at: string;
            updated_at: string;
            reference: string | null;
            metadata: {
                [key: string]: string;
            } | null;
            line_count: number;
        }>;
        get: (name: string, options?: Options) => Promise<{
            name: string;
            citizen: string;
            status: "Assessed" | "Cancelled" | "Draft" | "Paid";
            currency: string;
            total_amount: number;
            shift: string | null;
            cancel_reason: string | null;
            assessed_at: string | null;
            paid_at: string | null;
            cancelled_at: string | null;
            created_at: string;
            updated_at: string;
            reference: string | null;
            metadata: {
                [key: string]: string;
            } | null;
            lines: import("./openapi.ts").components["schemas"]["AssessmentLine"][];
            pending_approval: import("./openapi.ts").components["schemas"]["PendingApproval"] | null;
        }>;
        create: (body: BodyOf<"post", "/v1/assessments">, options?: Options) => Promise<{
            name: string;
            citizen: string;
            status: "Assessed" | "Cancelled" | "Draft" | "Paid";
            currency: string;
            total_amount: number;
            shift: string | null;
            cancel_reason: string | null;
            assessed_at: string | null;
            paid_at: string | null;
            cancelled_at: string | null;
            created_at: string;
            updated_at: string;
            reference: string | null;
            metadata: {
                [key: string]: string;
            } | null;
            lines: import("./openapi.ts").components["schemas"]["AssessmentLine"][];
            pending_approval: import("./openapi.ts").components["schemas"]["PendingApproval"] | null;
        }>;
        /** Fixes the prices of a Draft. */
        assess: (name: string, options?: Options) => Promise<{
            name: string;
            citizen: string;
            status: "Assessed" | "Cancelled" | "Draft" | "Paid";
            currency: string;
            total_amount: number;
            shift: string | null;
            cancel_reason: string | null;
            assessed_at: string | null;
            paid_at: string | null;
            cancelled_at: string | null;
            created_at: string;
            updated_at: string;
            reference: string | null;
            metadata: {
                [key: string]: string;
            } | null;
            lines: import("./openapi.ts").components["schemas"]["AssessmentLine"][];
            pending_approval: import("./openapi.ts").components["schemas"]["PendingApproval"] | null;
        }>;
        cancel: (name: string, body?: BodyOf<"post", "/v1/assessments/{name}:cancel">, options?: Options) => Promise<{
            name: string;
            citizen: string;
            status: "Assessed" | "Cancelled" | "Draft" | "Paid";
            currency: string;
            total_amount: number;
            shift: string | null;
            cancel_reason: string | null;
            assessed_at: string | null;
            paid_at: string | null;
            cancelled_at: string | null;
            created_at: string;
            updated_at: string;
            reference: string | null;
            metadata: {
                [key: string]: string;
            } | null;
            lines: import("./openapi.ts").components["schemas"]["AssessmentLine"][];
            pending_approval: import("./openapi.ts").components["schemas"]["PendingApproval"] | null;
        }>;
    };
    paymentIntents: {
        list: (query?: QueryOf<"/v1/payment-intents">, options?: Options) => import("./lists.ts").List<{
            name: string;
            assessment: string;
            channel: "airtel_money" | "card" | "cash" | "mtn_momo";
            status: "Confirmed" | "Expired" | "Failed" | "Pending" | "Sent";
            amount: number;
            currency: string;
            splits: {
                mda: string;
                amount: number;
            }[];
            aggregator: string;
            aggregator_reference: string | null;
            payer_msisdn: string | null;
            tendered: number | null;
            change: number | null;
            failure_reason: string | null;
            initiated_at: string | null;
            confirmed_at: string | null;
            expires_at: string;
            created_at: string;
            updated_at: string;
            reference: string | null;
            metadata: {
                [key: string]: string;
            } | null;
        }>;
        get: (name: string, options?: Options) => Promise<{
            name: string;
            assessment: string;
            channel: "airtel_money" | "card" | "cash" | "mtn_momo";
            status: "Confirmed" | "Expired" | "Failed" | "Pending" | "Sent";
            amount: number;
            currency: string;
            splits: {
                mda: string;
                amount: number;
            }[];
            aggregator: string;
            aggregator_reference: string | null;
            payer_msisdn: string | null;
            tendered: number | null;
            change: number | null;
            failure_reason: string | null;
            initiated_at: string | null;
            confirmed_at: string | null;
            expires_at: string;
            created_at: string;
            updated_at: string;
            reference: string | null;
            metadata: {
                [key: string]: string;
            } | null;
        }>;
        create: (body: BodyOf<"post", "/v1/payment-intents">, options?: Options) => Promise<{
            name: string;
            assessment: string;
            channel: "airtel_money" | "card" | "cash" | "mtn_momo";
            status: "Confirmed" | "Expired" | "Failed" | "Pending" | "Sent";
            amount: number;
            currency: string;
            splits: {
                mda: string;
                amount: number;
            }[];
            aggregator: string;
            aggregator_reference: string | null;
            payer_msisdn: string | null;
            tendered: number | null;
            change: number | null;
            failure_reason: string | null;
            initiated_at: string | null;
            confirmed_at: string | null;
            expires_at: string;
            created_at: string;
            updated_at: string;
            reference: string | null;
            metadata: {
                [key: string]: string;
            } | null;
            adapter_response?: unknown;
        }>;
        /** Asks the aggregator to collect. */
        initiate: (name: string, body?: BodyOf<"post", "/v1/payment-intents/{name}:initiate">, options?: Options) => Promise<{
            intent: import("./openapi.ts").components["schemas"]["Intent"];
            adapter_response: unknown;
            warning: string | null;
        }>;
        /** Asks the aggregator how the collection stands. */
        confirm: (name: string, options?: Options) => Promise<{
            intent: import("./openapi.ts").components["schemas"]["Intent"];
            events: import("./openapi.ts").components["schemas"]["Event"][];
            assessment: import("./openapi.ts").components["schemas"]["AssessmentLines"];
        }>;
        trace: (name: string, options?: Options) => Promise<{
            assessment: import("./openapi.ts").components["schemas"]["Assessment"];
            intent: import("./openapi.ts").components["schemas"]["Intent"];
            events: import("./openapi.ts").components["schemas"]["Event"][];
            fiscal_documents: import("./openapi.ts").components["schemas"]["FiscalDocument"][];
            timeline: {
                at: string;
                kind: string;
                actor: string;
                summary: string;
                doc: string | null;
                detail: unknown;
            }[];
        }>;
    };
    paymentEvents: {
        list: (query?: QueryOf<"/v1/payment-events">, options?: Options) => import("./lists.ts").List<{
            name: string;
            intent: string;
            assessment: string;
            mda: string;
            amount: number;
            currency: string;
            channel: "airtel_money" | "card" | "cash" | "mtn_momo";
            kind: "payment" | "reversal";
            aggregator_reference: string;
            txn_id: string | null;
            occurred_at: string;
            seal: {
                sequence: number;
                hash: string;
            } | null;
            created_at: string;
            updated_at: string;
        }>;
    };
};
export type Resources = ReturnType<typeof resourcesOf>;
export {};
