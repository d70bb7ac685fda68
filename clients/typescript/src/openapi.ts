export interface paths {
    "/.well-known/jwks.json": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            keys: {
                                kty: string;
                                crv: string;
                                x: string;
                                kid: string;
                                use: string;
                                alg: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/.well-known/receipt-keys.json": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            keys: {
                                kty: string;
                                crv: string;
                                x: string;
                                kid: string;
                                use: string;
                                alg: string;
                                from: string;
                                until: string | null;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/agency-tokens": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        grant_type: string;
                        assertion: string;
                        scope?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                access_token: string;
                                token_type: string;
                                expires_in: number;
                                scope: string;
                                mda: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/agency/{mda}/webhook-endpoints": {
        get: {
            parameters: {
                query?: {
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
                path: {
                    mda: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["WebhookEndpoint"][];
                        };
                    };
                };
            };
        };
        post: {
            parameters: {
                path: {
                    mda: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        url: string;
                        types?: string[];
                        agencies?: string[];
                        label?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                label: string;
                                url: string;
                                types: string[];
                                agencies: string[];
                                default: boolean;
                                status: "disabled" | "enabled" | "none";
                                disabled_at: string | null;
                                disabled_reason: "answered_gone" | "kept_failing" | null;
                                failing_since: string | null;
                                created_at: string;
                                updated_at: string;
                                secret: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/agency/{mda}/webhook-endpoints/{name}": {
        get: {
            parameters: {
                path: {
                    mda: string;
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["WebhookEndpoint"];
                        };
                    };
                };
            };
        };
        delete: {
            parameters: {
                path: {
                    mda: string;
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["WebhookEndpoint"];
                        };
                    };
                };
            };
        };
        patch: {
            parameters: {
                path: {
                    mda: string;
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        url?: string | null;
                        types?: string[] | null;
                        agencies?: string[] | null;
                        label?: string | null;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["WebhookEndpoint"];
                        };
                    };
                };
            };
        };
    };
    "/v1/agency/{mda}/webhook-endpoints/{name}:enable": {
        post: {
            parameters: {
                path: {
                    mda: string;
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["WebhookEndpoint"];
                        };
                    };
                };
            };
        };
    };
    "/v1/agency/{mda}/webhook-endpoints/{name}:rotate-secret": {
        post: {
            parameters: {
                path: {
                    mda: string;
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                secret: string;
                                previous_valid_until: string | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/agency/{mda}/webhook-endpoints/{name}:test": {
        post: {
            parameters: {
                path: {
                    mda: string;
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        type?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                message: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/anomaly-rules": {
        get: {
            parameters: {
                query?: {
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                kind: string;
                                severity: string;
                                title: string;
                                meaning: string;
                                what_to_do: string;
                                thresholds: unknown;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/assessments": {
        get: {
            parameters: {
                query?: {
                    citizen?: string;
                    status?: "Assessed" | "Cancelled" | "Draft" | "Paid";
                    shift?: string;
                    from_date?: string;
                    to_date?: string;
                    reference?: string;
                    metadata?: {
                        [key: string]: string;
                    };
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
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
                            }[];
                        };
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        citizen: string;
                        lines: components["schemas"]["AssessmentLineInput"][];
                        shift?: string;
                        currency?: string;
                        assess?: boolean;
                        reference?: string;
                        metadata?: {
                            [key: string]: string;
                        };
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Assessment"];
                        };
                    };
                };
            };
        };
    };
    "/v1/assessments/{name}": {
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Assessment"];
                        };
                    };
                };
            };
        };
        patch: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        metadata: {
                            [key: string]: string;
                        };
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Assessment"];
                        };
                    };
                };
            };
        };
    };
    "/v1/assessments/{name}:assess": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Assessment"];
                        };
                    };
                };
            };
        };
    };
    "/v1/assessments/{name}:cancel": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        reason?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Assessment"];
                        };
                    };
                };
            };
        };
    };
    "/v1/assessments/{name}:issue-reference": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        expires_in_days?: number;
                        currency?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["PaymentReference"];
                        };
                    };
                };
            };
        };
    };
    "/v1/assessments/{name}/receipts": {
        get: {
            parameters: {
                query?: {
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Receipt"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/billers/{provider}/confirmation": {
        post: {
            parameters: {
                path: {
                    provider: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            ResultCode: string;
                            ResultDesc: string;
                        };
                    };
                };
            };
        };
    };
    "/v1/billers/{provider}/lookup": {
        post: {
            parameters: {
                header?: {
                    "X-Service-Signature"?: string;
                    "verif-hash"?: string;
                    "flutterwave-signature"?: string;
                };
                path: {
                    provider: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                state: string;
                                amount: number | null;
                                currency: string | null;
                                agencies: {
                                    name: string;
                                    mda_name: string;
                                }[];
                                payer_initials: string | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/billers/{provider}/payments": {
        post: {
            parameters: {
                header?: {
                    "X-Service-Signature"?: string;
                    "verif-hash"?: string;
                    "flutterwave-signature"?: string;
                };
                path: {
                    provider: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                decision: string;
                                intent: string | null;
                                object?: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/billers/{provider}/validation": {
        post: {
            parameters: {
                path: {
                    provider: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            ResultCode: string;
                            ResultDesc: string;
                        };
                    };
                };
            };
        };
    };
    "/v1/changelog": {
        get: {
            parameters: {
                query?: {
                    version?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                version: string;
                                released_on: string | null;
                                about: string;
                                sections: {
                                    title: string;
                                    entries: string[];
                                }[];
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/citizens": {
        get: {
            parameters: {
                query?: {
                    q?: string;
                    nin?: string;
                    phone?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
                header?: {
                    "X-Purpose"?: components["parameters"]["Purpose"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                nin: string;
                                full_name: string;
                                phone: string | null;
                                verified: boolean;
                            }[];
                        };
                    };
                };
            };
        };
        post: {
            parameters: {
                header?: {
                    "X-Purpose"?: components["parameters"]["Purpose"];
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        nin: string;
                        full_name: string;
                        phone?: string;
                        language?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Citizen"];
                        };
                    };
                };
            };
        };
    };
    "/v1/citizens/{name}": {
        get: {
            parameters: {
                header?: {
                    "X-Purpose"?: components["parameters"]["Purpose"];
                };
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Citizen"];
                        };
                    };
                };
            };
        };
    };
    "/v1/citizens/register": {
        post: {
            parameters: {
                header?: {
                    "X-Purpose"?: components["parameters"]["Purpose"];
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        nin: string;
                        mda?: string;
                        language?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                citizen: components["schemas"]["Citizen"];
                                created: boolean;
                                source: "local" | "nira" | "not_found";
                                consent_event: string | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/citizens/search": {
        get: {
            parameters: {
                query: {
                    nin: string;
                };
                header?: {
                    "X-Purpose"?: components["parameters"]["Purpose"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Lookup"];
                        };
                    };
                };
            };
        };
    };
    "/v1/citizens/search-by-nin": {
        get: {
            parameters: {
                query: {
                    nin: string;
                };
                header?: {
                    "X-Purpose"?: components["parameters"]["Purpose"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Lookup"];
                        };
                    };
                };
            };
        };
    };
    "/v1/counter-shifts": {
        get: {
            parameters: {
                query?: {
                    clerk?: string;
                    mda?: string;
                    status?: "Cancelled" | "Closed" | "Open";
                    from_date?: string;
                    to_date?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["ShiftSummary"][];
                        };
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        mda: string;
                        counter_label?: string;
                        opening_float?: number;
                        currency?: string;
                        opening_notes?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Shift"];
                        };
                    };
                };
            };
        };
    };
    "/v1/counter-shifts/{name}": {
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Shift"];
                        };
                    };
                };
            };
        };
    };
    "/v1/counter-shifts/{name}:close": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        cash_counted: number;
                        denominations?: components["schemas"]["DenominationInput"][];
                        variance_reason?: string;
                        closing_notes?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Shift"];
                        };
                    };
                };
            };
        };
    };
    "/v1/counter-shifts/{name}:refresh": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Shift"];
                        };
                    };
                };
            };
        };
    };
    "/v1/counter-shifts/active": {
        get: {
            parameters: {
                query: {
                    mda: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Shift"] | null;
                        };
                    };
                };
            };
        };
    };
    "/v1/events": {
        get: {
            parameters: {
                query?: {
                    types?: string[];
                    wait?: number;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Envelope"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/events/{id}": {
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Envelope"];
                        };
                    };
                };
            };
        };
    };
    "/v1/events/types": {
        get: {
            parameters: {
                query?: {
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                type: string;
                                description: string;
                                schema: unknown;
                                example: unknown;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/integrations": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: unknown;
                        };
                    };
                };
            };
        };
    };
    "/v1/login/consume": {
        get: {
            parameters: {
                query?: {
                    token?: string;
                };
            };
            responses: {
                200: {
                };
            };
        };
    };
    "/v1/login/request": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        email: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                message: string;
                                dev_consume_url?: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/logout": {
        post: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                message: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/mdas": {
        get: {
            parameters: {
                query?: {
                    mode?: "A" | "B" | "C";
                    country?: string;
                    mda_type?: string;
                    status?: "Active" | "Inactive" | "Sandbox";
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Mda"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/mdas/{name}": {
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                mda_name: string;
                                interaction_mode: "A" | "B" | "C";
                                country: string;
                                mda_type: string;
                                status: "Active" | "Inactive" | "Sandbox";
                                created_at: string;
                                updated_at: string;
                                collection_account_last4?: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/me": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Profile"];
                        };
                    };
                };
            };
        };
        post: {
            requestBody?: {
                content: {
                    "application/json": {
                        display_name?: string | null;
                        webhook_endpoint?: string | null;
                        anticipated_volume_monthly?: number | null;
                        contact_phone?: string | null;
                        return_hosts?: string[] | null;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                code: string;
                                display_name: string;
                                contact_email: string;
                                organisation: string;
                                tier: "live" | "sandbox";
                                pricing_tier: string;
                                allowed_channels: string[];
                                allowed_agencies: string[];
                                limit_per_minute: number | null;
                                status: "Active" | "PendingEmail" | "Suspended";
                                email_verified: boolean;
                                webhook_endpoint: string | null;
                                webhook_status: "disabled" | "enabled" | "none";
                                webhook_disabled_at: string | null;
                                webhook_disabled_reason: "answered_gone" | "kept_failing" | null;
                                return_hosts: string[];
                                anticipated_volume_monthly: number | null;
                                contact_phone: string | null;
                                last_login_at: string | null;
                                active_key_count: number;
                                total_key_count: number;
                                requests_last_7_days: number;
                                created_at: string;
                                updated_at: string;
                                webhook_secret?: string;
                            };
                        };
                    };
                };
            };
        };
        patch: {
            requestBody?: {
                content: {
                    "application/json": {
                        display_name?: string | null;
                        webhook_endpoint?: string | null;
                        anticipated_volume_monthly?: number | null;
                        contact_phone?: string | null;
                        return_hosts?: string[] | null;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                code: string;
                                display_name: string;
                                contact_email: string;
                                organisation: string;
                                tier: "live" | "sandbox";
                                pricing_tier: string;
                                allowed_channels: string[];
                                allowed_agencies: string[];
                                limit_per_minute: number | null;
                                status: "Active" | "PendingEmail" | "Suspended";
                                email_verified: boolean;
                                webhook_endpoint: string | null;
                                webhook_status: "disabled" | "enabled" | "none";
                                webhook_disabled_at: string | null;
                                webhook_disabled_reason: "answered_gone" | "kept_failing" | null;
                                return_hosts: string[];
                                anticipated_volume_monthly: number | null;
                                contact_phone: string | null;
                                last_login_at: string | null;
                                active_key_count: number;
                                total_key_count: number;
                                requests_last_7_days: number;
                                created_at: string;
                                updated_at: string;
                                webhook_secret?: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/me:request-live": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        agencies: string[];
                        channels: string[];
                        note?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["LiveRequest"];
                        };
                    };
                };
            };
        };
    };
    "/v1/me/browser-keys": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        label: string;
                        origins: string[];
                        operations?: string[];
                        agencies?: string[];
                        days?: number;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                key: components["schemas"]["ApiKey"];
                                plaintext: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/me/keys": {
        get: {
            parameters: {
                query?: {
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApiKey"][];
                        };
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        label: string;
                        scopes: ("citizens.read" | "citizens.write" | "catalogue.read" | "assessments.read" | "assessments.write" | "assessments.cancel" | "payments.read" | "payments.initiate" | "payments.split" | "oversight.read" | "oversight.audit")[];
                        manages_account?: boolean;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                key: components["schemas"]["ApiKey"];
                                plaintext: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/me/keys/{name}:revoke": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApiKey"];
                        };
                    };
                };
            };
        };
    };
    "/v1/me/keys/{name}:rotate": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        grace_hours?: number;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                key: components["schemas"]["ApiKey"];
                                plaintext: string;
                                previous: components["schemas"]["ApiKey"];
                                grace_ends_at: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/me/live-requests": {
        get: {
            parameters: {
                query?: {
                    status?: "Approved" | "Pending" | "Refused";
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["LiveRequest"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/me/logs": {
        get: {
            parameters: {
                query?: {
                    endpoint?: string;
                    event?: "api.auth.granted" | "api.auth.denied" | "api.handler.error";
                    min_status?: number;
                    from_date?: string;
                    to_date?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                ts: string;
                                http_status: number;
                                endpoint: string;
                                event: string;
                                request_id: string;
                                key: string | null;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/me/webhook-deliveries": {
        get: {
            parameters: {
                query?: {
                    status?: "dead" | "delivered" | "pending";
                    type?: "alert.raised" | "payment_intent.confirmed" | "payment_intent.failed" | "payment_intent.expired" | "assessment.paid" | "assessment.cancelled" | "assessment.propagated" | "assessment.propagation_reversed" | "assessment.propagation_rejected" | "assessment.receipt_issued" | "assessment.bill_changed" | "citizen.identity_changed" | "fiscal_document.issued" | "money_received.booked" | "notice.published" | "notice.withdrawn" | "payment_event.created" | "payment_event.reversed" | "receipt.issued" | "receipt.voided" | "webhook.test";
                    object?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Delivery"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/me/webhook-deliveries:redeliver": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        from: string;
                        to: string;
                        dead_only?: boolean;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                redelivered: number;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/me/webhook-deliveries/{name}:redeliver": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Delivery"];
                        };
                    };
                };
            };
        };
    };
    "/v1/me/webhook-endpoints": {
        get: {
            parameters: {
                query?: {
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["WebhookEndpoint"][];
                        };
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        url: string;
                        types?: string[];
                        agencies?: string[];
                        label?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                label: string;
                                url: string;
                                types: string[];
                                agencies: string[];
                                default: boolean;
                                status: "disabled" | "enabled" | "none";
                                disabled_at: string | null;
                                disabled_reason: "answered_gone" | "kept_failing" | null;
                                failing_since: string | null;
                                created_at: string;
                                updated_at: string;
                                secret: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/me/webhook-endpoints/{name}": {
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["WebhookEndpoint"];
                        };
                    };
                };
            };
        };
        delete: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["WebhookEndpoint"];
                        };
                    };
                };
            };
        };
        patch: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        url?: string | null;
                        types?: string[] | null;
                        agencies?: string[] | null;
                        label?: string | null;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["WebhookEndpoint"];
                        };
                    };
                };
            };
        };
    };
    "/v1/me/webhook-endpoints/{name}:enable": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["WebhookEndpoint"];
                        };
                    };
                };
            };
        };
    };
    "/v1/me/webhook-endpoints/{name}:rotate-secret": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                secret: string;
                                previous_valid_until: string | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/me/webhook-endpoints/{name}:test": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        type?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                message: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/me/webhook-secret:rotate": {
        post: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                secret: string;
                                previous_valid_until: string | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/me/webhook:test": {
        post: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                message: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/notices": {
        get: {
            parameters: {
                query?: {
                    in_effect?: boolean;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Notice"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/account-changes": {
        get: {
            parameters: {
                query?: {
                    status?: "Approved" | "Pending" | "Refused";
                    mda?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["AccountChange"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/account-changes/{name}:approve": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        note?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["AccountChange"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/account-changes/{name}:refuse": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["AccountChange"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/admin-grants": {
        get: {
            parameters: {
                query?: {
                    status?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["AdminGrant"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/admin-grants/{name}:approve": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["AdminGrant"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/admin-grants/{name}:refuse": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["AdminGrant"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/agency-endpoints": {
        get: {
            parameters: {
                query?: {
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["AgencyEndpoint"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/agency-endpoints/{id}:probe": {
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["AgencyEndpoint"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/agency-keys": {
        get: {
            parameters: {
                query?: {
                    mda?: string;
                    status?: "active" | "expired" | "revoked" | "rolling" | "waiting";
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["AgencyKey"][];
                        };
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        mda: string;
                        public_key: unknown;
                        scopes: ("citizens.read" | "citizens.write" | "catalogue.read" | "assessments.read" | "assessments.write" | "assessments.cancel" | "payments.read" | "payments.initiate" | "payments.split" | "references.issue" | "oversight.read" | "oversight.audit" | "webhooks.manage" | "events.read")[];
                        label: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["AgencyKey"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/agency-keys/{name}:revoke": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["AgencyKey"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/agency-keys/{name}:roll": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        public_key: unknown;
                        grace_hours?: number;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                key: components["schemas"]["AgencyKey"];
                                previous: components["schemas"]["AgencyKey"];
                                grace_ends_at: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/alert-rules": {
        get: {
            parameters: {
                query?: {
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["AlertRule"][];
                        };
                    };
                };
            };
        };
        post: {
            requestBody?: {
                content: {
                    "application/json": {
                        staff?: string;
                        role?: string;
                        staff_of?: string;
                        transport?: string;
                        kinds?: string[];
                        severity?: string;
                        agencies?: string[];
                        quiet_from?: string;
                        quiet_to?: string;
                        enabled?: boolean;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["AlertRule"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/alert-rules/{name}": {
        delete: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: boolean;
                        };
                    };
                };
            };
        };
        patch: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        staff?: string | null;
                        role?: string | null;
                        staff_of?: string | null;
                        transport?: string | null;
                        kinds?: string[] | null;
                        severity?: string | null;
                        agencies?: string[] | null;
                        quiet_from?: string | null;
                        quiet_to?: string | null;
                        enabled?: boolean | null;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["AlertRule"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/anomalies": {
        get: {
            parameters: {
                query?: {
                    status?: "Open" | "Resolved";
                    kind?: string;
                    severity?: string;
                    mda?: string;
                    assignee?: string;
                    snoozed?: boolean;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Anomaly"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/anomalies/{name}:assign": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        assignee: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Anomaly"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/anomalies/{name}:comment": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        comment: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Anomaly"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/anomalies/{name}:resolve": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        note: string;
                        variance?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Anomaly"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/anomalies/{name}:snooze": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        until: string;
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Anomaly"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/approvals": {
        get: {
            parameters: {
                query?: {
                    status?: "Approved" | "Expired" | "Pending" | "Refused";
                    kind?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Approval"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/approvals/{name}": {
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Approval"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/approvals/{name}:approve": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Approval"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/approvals/{name}:refuse": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Approval"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/audit": {
        get: {
            parameters: {
                query?: {
                    actor?: string;
                    action?: string;
                    subject?: string;
                    from_date?: string;
                    to_date?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                at: string;
                                actor: string;
                                action: string;
                                subject: string;
                                before: unknown;
                                after: unknown;
                                reason: string | null;
                                request_id: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/browser-keys": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        integrator: string;
                        label: string;
                        origins: string[];
                        operations?: string[];
                        agencies?: string[];
                        days?: number;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                key: components["schemas"]["OperatedKey"];
                                plaintext: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/catalogue:load": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        profile: unknown;
                        dry_run?: boolean;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                country: string;
                                dry_run: boolean;
                                agencies: number;
                                services: number;
                                changes: {
                                    action: string;
                                    subject: string;
                                    before: unknown;
                                    after: unknown;
                                }[];
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/citizen-access": {
        get: {
            parameters: {
                query?: {
                    citizen?: string;
                    actor?: string;
                    purpose?: string;
                    from_date?: string;
                    to_date?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                at: string;
                                citizen: string | null;
                                purpose: string;
                                stated_purpose: string | null;
                                caller: string;
                                actor: string;
                                credential: string | null;
                                request_id: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/default-endpoint": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["DefaultEndpoint"];
                        };
                    };
                };
            };
        };
        put: {
            requestBody?: {
                content: {
                    "application/json": {
                        url?: string | null;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                code: string;
                                url: string | null;
                                status: "disabled" | "enabled" | "none";
                                disabled_at: string | null;
                                disabled_reason: "answered_gone" | "kept_failing" | null;
                                created_at: string | null;
                                updated_at: string | null;
                                secret?: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/default-endpoint:rotate-secret": {
        post: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                secret: string;
                                previous_valid_until: string | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/default-endpoint:test": {
        post: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                message: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/find": {
        get: {
            parameters: {
                query?: {
                    q?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                kind: string;
                                name: string;
                                title: string | null;
                                status: string | null;
                                amount: number | null;
                                currency: string | null;
                                at: string | null;
                                whose: string | null;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/integrators": {
        get: {
            parameters: {
                query?: {
                    q?: string;
                    status?: "Active" | "PendingEmail" | "Suspended";
                    tier?: "live" | "sandbox";
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatedIntegrator"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/integrators/{code}": {
        get: {
            parameters: {
                path: {
                    code: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatedIntegrator"];
                        };
                    };
                };
            };
        };
        patch: {
            parameters: {
                path: {
                    code: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        tier?: "live" | "sandbox" | null;
                        pricing_tier?: string | null;
                        allowed_channels?: string[] | null;
                        allowed_agencies?: string[] | null;
                        limit_per_minute?: number | null;
                        notes?: string | null;
                        reason?: string | null;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatedIntegrator"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/integrators/{code}:reactivate": {
        post: {
            parameters: {
                path: {
                    code: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatedIntegrator"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/integrators/{code}:suspend": {
        post: {
            parameters: {
                path: {
                    code: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatedIntegrator"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/keys": {
        get: {
            parameters: {
                query?: {
                    integrator?: string;
                    status?: "active" | "expired" | "revoked" | "rolling" | "waiting";
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatedKey"][];
                        };
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        integrator: string;
                        label: string;
                        scopes: ("citizens.read" | "citizens.write" | "catalogue.read" | "assessments.read" | "assessments.write" | "assessments.cancel" | "payments.read" | "payments.initiate" | "payments.split" | "oversight.read" | "oversight.audit")[];
                        supervises?: string[];
                        counters?: string[];
                        manages_account?: boolean;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                key: components["schemas"]["OperatedKey"];
                                plaintext: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/keys/{name}:revoke": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatedKey"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/keys/{name}:rotate": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        grace_hours?: number;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                key: components["schemas"]["OperatedKey"];
                                plaintext: string;
                                previous: components["schemas"]["OperatedKey"];
                                grace_ends_at: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/live-requests": {
        get: {
            parameters: {
                query?: {
                    status?: "Approved" | "Pending" | "Refused";
                    integrator?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatedLiveRequest"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/live-requests/{name}": {
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatedLiveRequest"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/live-requests/{name}:approve": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        agencies?: string[];
                        channels?: string[];
                        limit_per_minute?: number;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatedLiveRequest"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/live-requests/{name}:refuse": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatedLiveRequest"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/log-seals": {
        get: {
            parameters: {
                query?: {
                    day?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                log: string;
                                day: string;
                                rows: number;
                                hash: string;
                                sealed_at: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/mdas": {
        get: {
            parameters: {
                query?: {
                    status?: "Active" | "Inactive" | "Sandbox";
                    country?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["ManagedMda"][];
                        };
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        code: string;
                        mda_name: string;
                        interaction_mode: "A" | "B" | "C";
                        country: string;
                        mda_type: string;
                        region?: string;
                        district?: string;
                        reason?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["ManagedMda"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/mdas/{name}": {
        patch: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        revision?: number | null;
                        mda_name?: string | null;
                        interaction_mode?: "A" | "B" | "C" | null;
                        mda_type?: string | null;
                        status?: "Active" | "Inactive" | "Sandbox" | null;
                        region?: string | null;
                        district?: string | null;
                        cash_limit?: number | null;
                        shift_cash_limit?: number | null;
                        reason?: string | null;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["ManagedMda"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/mdas/{name}:change-account": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        collection_account: string;
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["AccountChange"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/mdas/{name}/history": {
        get: {
            parameters: {
                query?: {
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["CatalogueEntry"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/money-received": {
        get: {
            parameters: {
                query?: {
                    kind?: string;
                    provider?: string;
                    assessment?: string;
                    from_date?: string;
                    to_date?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["MoneyReceived"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/notices": {
        get: {
            parameters: {
                query?: {
                    status?: "in_effect" | "over" | "scheduled" | "withdrawn";
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatedNotice"][];
                        };
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        title: string;
                        body: string;
                        severity?: "critical" | "info" | "warning";
                        starts_at?: string;
                        ends_at?: string;
                        channels?: ("agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd")[];
                        agencies?: string[];
                        rooms?: ("agency" | "console" | "counter" | "dashboard" | "oversight" | "supervision")[];
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatedNotice"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/notices/{name}": {
        patch: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        title?: string | null;
                        body?: string | null;
                        severity?: "critical" | "info" | "warning" | null;
                        starts_at?: string | null;
                        ends_at?: string | null;
                        channels?: ("agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd")[] | null;
                        agencies?: string[] | null;
                        rooms?: ("agency" | "console" | "counter" | "dashboard" | "oversight" | "supervision")[] | null;
                        reason?: string | null;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatedNotice"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/notices/{name}:withdraw": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatedNotice"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/overview": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                open_anomalies: {
                                    high: number;
                                    medium: number;
                                    low: number;
                                } | null;
                                dead_propagations: number | null;
                                dead_deliveries: number | null;
                                unmatched_items: number | null;
                                pending_live_requests: number | null;
                                pending_account_changes: number | null;
                                pending_approvals: number | null;
                                lacking_approvers: string | null;
                                unavailable: string[] | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/payer-messages": {
        get: {
            parameters: {
                query?: {
                    kind?: string;
                    transport?: string;
                    status?: string;
                    from_date?: string;
                    to_date?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["PayerMessage"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/propagations": {
        get: {
            parameters: {
                query?: {
                    status?: "dead" | "done" | "pending" | "rejected";
                    mda?: string;
                    assessment?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Propagation"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/propagations/{name}:retry": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Propagation"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/reconciliation/runs": {
        get: {
            parameters: {
                query?: {
                    provider?: "mtn_momo" | "airtel_money" | "card";
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReconciliationRun"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/reconciliation/runs/{name}": {
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                provider: string;
                                from: string;
                                to: string;
                                part: number | null;
                                parts: number | null;
                                rerun_of: string | null;
                                source_hash: string;
                                ignored: number;
                                ignored_statuses: {
                                    status: string;
                                    count: number;
                                }[];
                                matched: number;
                                missing_here: number;
                                missing_there: number;
                                amount_differs: number;
                                duplicate: number;
                                created_by: string;
                                created_at: string;
                                updated_at: string;
                                mismatches: components["schemas"]["ReconciliationItem"][];
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/reconciliation/runs/{name}:rerun": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                provider: string;
                                from: string;
                                to: string;
                                part: number | null;
                                parts: number | null;
                                rerun_of: string | null;
                                source_hash: string;
                                ignored: number;
                                ignored_statuses: {
                                    status: string;
                                    count: number;
                                }[];
                                matched: number;
                                missing_here: number;
                                missing_there: number;
                                amount_differs: number;
                                duplicate: number;
                                created_by: string;
                                created_at: string;
                                updated_at: string;
                                mismatches: components["schemas"]["ReconciliationItem"][];
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/reconciliation/runs/{name}/items": {
        get: {
            parameters: {
                query?: {
                    outcome?: "amount_differs" | "duplicate" | "matched" | "missing_here" | "missing_there";
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReconciliationItem"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/reconciliation/statements": {
        post: {
            parameters: {
                query: {
                    provider: "mtn_momo" | "airtel_money" | "card";
                    from_date?: string;
                    to_date?: string;
                    part?: number;
                    parts?: number;
                };
            };
            requestBody: {
                content: {
                    "text/csv": string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                provider: string;
                                from: string;
                                to: string;
                                part: number | null;
                                parts: number | null;
                                rerun_of: string | null;
                                source_hash: string;
                                ignored: number;
                                ignored_statuses: {
                                    status: string;
                                    count: number;
                                }[];
                                matched: number;
                                missing_here: number;
                                missing_there: number;
                                amount_differs: number;
                                duplicate: number;
                                created_by: string;
                                created_at: string;
                                updated_at: string;
                                mismatches: components["schemas"]["ReconciliationItem"][];
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/services": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        mda: string;
                        code: string;
                        service_name: string;
                        sector: string;
                        family: string;
                        fee_amount: number;
                        currency?: string;
                        status?: "Active" | "Inactive";
                        reason?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["ManagedService"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/services/{name}": {
        patch: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        revision?: number | null;
                        service_name?: string | null;
                        sector?: string | null;
                        family?: string | null;
                        status?: "Active" | "Inactive" | null;
                        fee_amount?: number | null;
                        effective_from?: string | null;
                        withdraw_next_fee?: boolean | null;
                        reason?: string | null;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["ManagedService"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/services/{name}/history": {
        get: {
            parameters: {
                query?: {
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["CatalogueEntry"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/sessions": {
        get: {
            parameters: {
                query?: {
                    owner?: string;
                    ended?: boolean;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OpenSession"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/sessions/{name}:end": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["OpenSession"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/staff": {
        get: {
            parameters: {
                query?: {
                    q?: string;
                    role?: string;
                    agency?: string;
                    status?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Staff"][];
                        };
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        email: string;
                        name: string;
                        roles: string[];
                        agencies?: string[];
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Staff"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/staff/{email}": {
        get: {
            parameters: {
                path: {
                    email: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Staff"];
                        };
                    };
                };
            };
        };
        patch: {
            parameters: {
                path: {
                    email: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        name?: string | null;
                        roles?: string[] | null;
                        agencies?: string[] | null;
                        reason?: string | null;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Staff"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/staff/{email}:deactivate": {
        post: {
            parameters: {
                path: {
                    email: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Staff"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/staff/{email}:end-sessions": {
        post: {
            parameters: {
                path: {
                    email: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Staff"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/staff/{email}:reactivate": {
        post: {
            parameters: {
                path: {
                    email: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Staff"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/staff/{email}:reset-second-factor": {
        post: {
            parameters: {
                path: {
                    email: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Staff"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/staff/{email}:set-break-glass": {
        post: {
            parameters: {
                path: {
                    email: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        break_glass: boolean;
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Staff"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/webhook-deliveries": {
        get: {
            parameters: {
                query?: {
                    integrator?: string;
                    status?: "dead" | "delivered" | "pending";
                    type?: "alert.raised" | "payment_intent.confirmed" | "payment_intent.failed" | "payment_intent.expired" | "assessment.paid" | "assessment.cancelled" | "assessment.propagated" | "assessment.propagation_reversed" | "assessment.propagation_rejected" | "assessment.receipt_issued" | "assessment.bill_changed" | "citizen.identity_changed" | "fiscal_document.issued" | "money_received.booked" | "notice.published" | "notice.withdrawn" | "payment_event.created" | "payment_event.reversed" | "receipt.issued" | "receipt.voided" | "webhook.test";
                    object?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                message: string;
                                endpoint: string | null;
                                type: string;
                                object: string;
                                sequence: number;
                                status: "dead" | "delivered" | "pending";
                                attempt_count: number;
                                next_attempt_at: string | null;
                                on_hold: "account_suspended" | "agency_inactive" | "endpoint_disabled" | "no_endpoint" | null;
                                last_http_status: number | null;
                                created_at: string;
                                updated_at: string;
                                delivered_at: string | null;
                                attempts: {
                                    at: string;
                                    endpoint: string;
                                    http_status: number | null;
                                    duration_ms: number;
                                    error: string | null;
                                    answer: string | null;
                                }[];
                                integrator: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/webhook-deliveries:redeliver": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        integrator: string;
                        since: string;
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                redelivered: number;
                                has_more: boolean;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/webhook-deliveries/{name}:redeliver": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                message: string;
                                endpoint: string | null;
                                type: string;
                                object: string;
                                sequence: number;
                                status: "dead" | "delivered" | "pending";
                                attempt_count: number;
                                next_attempt_at: string | null;
                                on_hold: "account_suspended" | "agency_inactive" | "endpoint_disabled" | "no_endpoint" | null;
                                last_http_status: number | null;
                                created_at: string;
                                updated_at: string;
                                delivered_at: string | null;
                                attempts: {
                                    at: string;
                                    endpoint: string;
                                    http_status: number | null;
                                    duration_ms: number;
                                    error: string | null;
                                    answer: string | null;
                                }[];
                                integrator: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/webhook-endpoints": {
        get: {
            parameters: {
                query?: {
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["WebhookEndpoint"][];
                        };
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        url: string;
                        types?: string[];
                        agencies?: string[];
                        label?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                label: string;
                                url: string;
                                types: string[];
                                agencies: string[];
                                default: boolean;
                                status: "disabled" | "enabled" | "none";
                                disabled_at: string | null;
                                disabled_reason: "answered_gone" | "kept_failing" | null;
                                failing_since: string | null;
                                created_at: string;
                                updated_at: string;
                                secret: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/webhook-endpoints/{name}": {
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["WebhookEndpoint"];
                        };
                    };
                };
            };
        };
        delete: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["WebhookEndpoint"];
                        };
                    };
                };
            };
        };
        patch: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        url?: string | null;
                        types?: string[] | null;
                        agencies?: string[] | null;
                        label?: string | null;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["WebhookEndpoint"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/webhook-endpoints/{name}:enable": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["WebhookEndpoint"];
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/webhook-endpoints/{name}:rotate-secret": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                secret: string;
                                previous_valid_until: string | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/ops/webhook-endpoints/{name}:test": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        type?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                message: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/oversight/anomalies": {
        get: {
            parameters: {
                query?: {
                    kind?: string;
                    mda?: string;
                    severity?: string;
                    status?: "Open" | "Resolved";
                    from_date?: string;
                    to_date?: string;
                    time_zone?: "UTC" | "country";
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                kind: string;
                                mda: string | null;
                                mdas: string[];
                                severity: string;
                                raised_at: string;
                                status: "Open" | "Resolved";
                                evidence: unknown;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/oversight/collections": {
        get: {
            parameters: {
                query?: {
                    from_date?: string;
                    to_date?: string;
                    mda?: string[];
                    currency?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                mda: string;
                                currency: string;
                                assessments: number | null;
                                assessed: number | null;
                                paid: number | null;
                                outstanding: number | null;
                                cancelled: number | null;
                                seconds_p50: number | null;
                                seconds_p90: number | null;
                                seconds_p99: number | null;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/oversight/consents": {
        get: {
            parameters: {
                query?: {
                    period?: "day" | "month" | "year";
                    mda?: string;
                    from_date?: string;
                    to_date?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                mda: string | null;
                                period: string;
                                count: number | null;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/oversight/datasets": {
        get: {
            parameters: {
                query?: {
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                read_at: string;
                                through: string;
                                files: {
                                    name: string;
                                    month: string;
                                    kind: string;
                                    rows: number;
                                    bytes: number;
                                    sha256: string;
                                }[];
                                columns: {
                                    name: string;
                                    type: string;
                                    description: string;
                                }[];
                                seal_heads: {
                                    mda: string;
                                    sequence: number;
                                    hash: string;
                                }[];
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/oversight/datasets/{name}": {
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/vnd.apache.parquet": string;
                    };
                };
            };
        };
    };
    "/v1/oversight/fees": {
        get: {
            parameters: {
                query?: {
                    service?: string;
                    mda?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                service: string;
                                code: string;
                                service_name: string;
                                mda: string;
                                fee_amount: number;
                                currency: string;
                                from: string;
                                to: string | null;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/oversight/figures": {
        get: {
            parameters: {
                query?: {
                    by?: ("age" | "agency" | "anomaly" | "cause" | "channel" | "counter" | "country" | "currency" | "day" | "district" | "family" | "fiscal_year" | "hour" | "integrator" | "kind" | "month" | "proof" | "provider" | "quarter" | "region" | "sector" | "service" | "severity" | "size" | "source" | "station" | "status" | "week" | "weekday" | "year")[];
                    measures?: ("acceptedNotices" | "aheadOfTarget" | "amountDiffers" | "anomalies" | "approved" | "assessed" | "assessments" | "attempts" | "average" | "cancellations" | "cancelled" | "cancelledAmount" | "collected" | "confirmed" | "deadDeliveries" | "deadNotices" | "delivered" | "difference" | "duplicate" | "escalated" | "events" | "expectedCash" | "expired" | "failed" | "firstTimePayers" | "largestCancellation" | "largestReversal" | "largestShortage" | "largestSurplus" | "lowerQuartile" | "matched" | "material" | "materialShortage" | "materialSurplus" | "meanVariance" | "median" | "missingHere" | "missingThere" | "mostByOneClerk" | "net" | "newest" | "oldest" | "open" | "outstanding" | "p50" | "p90" | "p99" | "paid" | "paidAssessments" | "payers" | "payments" | "pending" | "pendingDeliveries" | "pendingNotices" | "pieces" | "receipts" | "recorded" | "registered" | "rejected" | "reprintedReceipts" | "returned" | "reversals" | "reversed" | "sameHandReversals" | "settled" | "shifts" | "sizedAmount" | "sizedPayments" | "sold" | "standardDeviation" | "statements" | "successRate" | "target" | "targetShare" | "unexplainedCancellations" | "unexplainedReversals" | "unmatchedAmount" | "unmatchedPayments" | "unpaidAmount" | "unpaidAssessments" | "unresolved" | "upperQuartile" | "variance" | "variances" | "voidReceipts" | "withVariance")[];
                    preset?: string;
                    from_date?: string;
                    to_date?: string;
                    agency?: string[];
                    sector?: string[];
                    family?: string[];
                    service?: string[];
                    channel?: ("agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd")[];
                    station?: string[];
                    counter?: string[];
                    country?: string[];
                    region?: string[];
                    district?: string[];
                    integrator?: string[];
                    currency?: string[];
                    provider?: ("mtn_momo" | "airtel_money" | "card")[];
                    anomaly?: string[];
                    severity?: string[];
                    status?: ("Open" | "Resolved")[];
                    age?: ("days_0_7" | "days_8_30" | "days_31_90" | "days_91_365" | "days_over_365")[];
                    cause?: string[];
                    source?: string[];
                    time_zone?: "UTC" | "country";
                    order_by?: "acceptedNotices" | "aheadOfTarget" | "amountDiffers" | "anomalies" | "approved" | "assessed" | "assessments" | "attempts" | "average" | "cancellations" | "cancelled" | "cancelledAmount" | "collected" | "confirmed" | "deadDeliveries" | "deadNotices" | "delivered" | "difference" | "duplicate" | "escalated" | "events" | "expectedCash" | "expired" | "failed" | "firstTimePayers" | "largestCancellation" | "largestReversal" | "largestShortage" | "largestSurplus" | "lowerQuartile" | "matched" | "material" | "materialShortage" | "materialSurplus" | "meanVariance" | "median" | "missingHere" | "missingThere" | "mostByOneClerk" | "net" | "newest" | "oldest" | "open" | "outstanding" | "p50" | "p90" | "p99" | "paid" | "paidAssessments" | "payers" | "payments" | "pending" | "pendingDeliveries" | "pendingNotices" | "pieces" | "receipts" | "recorded" | "registered" | "rejected" | "reprintedReceipts" | "returned" | "reversals" | "reversed" | "sameHandReversals" | "settled" | "shifts" | "sizedAmount" | "sizedPayments" | "sold" | "standardDeviation" | "statements" | "successRate" | "target" | "targetShare" | "unexplainedCancellations" | "unexplainedReversals" | "unmatchedAmount" | "unmatchedPayments" | "unpaidAmount" | "unpaidAssessments" | "unresolved" | "upperQuartile" | "variance" | "variances" | "voidReceipts" | "withVariance";
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["FigureRecordColumns"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/oversight/payment-events": {
        get: {
            parameters: {
                query?: {
                    mda?: string;
                    channel?: "agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd";
                    kind?: "payment" | "reversal";
                    proof?: "approval" | "callback" | "cash" | "enquiry" | "simulated";
                    currency?: string;
                    from_date?: string;
                    to_date?: string;
                    time_zone?: "UTC" | "country";
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                mda: string;
                                amount: number;
                                currency: string;
                                channel: "agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd";
                                kind: "payment" | "reversal";
                                proof: "approval" | "callback" | "cash" | "enquiry" | "simulated" | null;
                                occurred_at: string;
                                seal: {
                                    hash: string;
                                    sequence: number;
                                    version: number;
                                    commitment: string | null;
                                } | null;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/oversight/revenue": {
        get: {
            parameters: {
                query?: {
                    group_by?: ("mda" | "sector" | "family" | "service" | "channel" | "country" | "region" | "district" | "station" | "counter" | "integrator" | "currency" | "fiscal_year" | "quarter" | "day" | "week" | "month" | "weekday" | "hour" | "kind")[];
                    from_date?: string;
                    to_date?: string;
                    mda?: string[];
                    sector?: string[];
                    family?: string[];
                    service?: string[];
                    channel?: ("agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd")[];
                    country?: string[];
                    region?: string[];
                    district?: string[];
                    station?: string[];
                    counter?: string[];
                    integrator?: string[];
                    currency?: string;
                    time_zone?: "UTC" | "country";
                    order_by?: "key" | "collected" | "reversed" | "net" | "count";
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                mda?: string;
                                sector?: string;
                                family?: string;
                                service?: string;
                                channel?: "agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd";
                                country?: string;
                                region?: string;
                                district?: string;
                                station?: string;
                                counter_mda?: string;
                                counter?: string;
                                integrator?: string;
                                fiscal_year?: string;
                                quarter?: string;
                                day?: string;
                                week?: string;
                                month?: string;
                                weekday?: number;
                                hour?: number;
                                kind?: "payment" | "reversal";
                                currency: string;
                                collected: number;
                                reversed: number;
                                net: number;
                                count: number;
                                average: number | null;
                                share: number | null;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/oversight/revenue-comparison": {
        get: {
            parameters: {
                query?: {
                    by_agency?: boolean;
                    from_date?: string;
                    to_date?: string;
                    mda?: string[];
                    channel?: ("agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd")[];
                    currency?: string;
                    time_zone?: "UTC" | "country";
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                mda?: string;
                                currency: string;
                                current: number;
                                before: number;
                                year_ago: number;
                                change_on_before: number | null;
                                change_on_year_ago: number | null;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/oversight/seals": {
        get: {
            parameters: {
                query?: {
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                mda: string;
                                sequence: number;
                                hash: string;
                                sealed_at: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/oversight/shifts": {
        get: {
            parameters: {
                query?: {
                    from_date?: string;
                    to_date?: string;
                    mda?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                mda: string;
                                currency: string;
                                shifts: number | null;
                                with_variance: number | null;
                                expected_cash: number | null;
                                variance: number | null;
                                mean_variance: number | null;
                                standard_deviation: number | null;
                                largest_shortage: number | null;
                                largest_surplus: number | null;
                                pending: number | null;
                                approved: number | null;
                                rejected: number | null;
                                escalated: number | null;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/oversight/statistics": {
        get: {
            parameters: {
                query?: {
                    from_date?: string;
                    to_date?: string;
                    time_zone?: "UTC" | "country";
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                totals: {
                                    currency: string;
                                    collected: number;
                                    reversed: number;
                                    net: number;
                                    count: number;
                                    average: number | null;
                                }[];
                                channel_mix: {
                                    channel: "agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd" | null;
                                    currency: string;
                                    collected: number;
                                    reversed: number;
                                    net: number;
                                    count: number;
                                    share: number | null;
                                }[];
                                channels: {
                                    channel: "agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd";
                                    available: boolean;
                                    confirmed: number | null;
                                    failed: number | null;
                                    expired: number | null;
                                    open: number | null;
                                    success_rate: number | null;
                                }[];
                                webhooks: {
                                    delivered: number;
                                    pending: number;
                                    dead: number;
                                };
                                propagations: {
                                    done: number;
                                    pending: number;
                                    dead: number;
                                };
                                open_anomalies: number;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/payment-events": {
        get: {
            parameters: {
                query?: {
                    intent?: string;
                    mda?: string;
                    proof?: "approval" | "callback" | "cash" | "enquiry" | "simulated";
                    from_date?: string;
                    to_date?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Event"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/payment-intents": {
        get: {
            parameters: {
                query?: {
                    status?: "Confirmed" | "Expired" | "Failed" | "Pending" | "Sent";
                    channel?: "agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd";
                    assessment?: string;
                    mda?: string;
                    from_date?: string;
                    to_date?: string;
                    min_amount?: number;
                    max_amount?: number;
                    reference?: string;
                    metadata?: {
                        [key: string]: string;
                    };
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Intent"][];
                        };
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        assessment: string;
                        channel: "agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd";
                        currency?: string;
                        splits?: components["schemas"]["SplitInput"][];
                        tendered?: number;
                        initiate?: boolean;
                        payer_msisdn?: string;
                        payer_email?: string;
                        return_url?: string;
                        reference?: string;
                        metadata?: {
                            [key: string]: string;
                        };
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                assessment: string;
                                channel: "agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd";
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
                                next_action: {
                                    type: string;
                                    url: string | null;
                                    expires_at: string | null;
                                } | null;
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
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/payment-intents/{name}": {
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Intent"];
                        };
                    };
                };
            };
        };
    };
    "/v1/payment-intents/{name}:confirm": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                intent: components["schemas"]["Intent"];
                                events: components["schemas"]["Event"][];
                                assessment: components["schemas"]["AssessmentLines"];
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/payment-intents/{name}:initiate": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        payer_msisdn?: string;
                        payer_email?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                intent: components["schemas"]["Intent"];
                                adapter_response: unknown;
                                warning: string | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/payment-intents/{name}/live-status": {
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                queried_at: string;
                                aggregator: string;
                                aggregator_reference: string | null;
                                stored: {
                                    status: "Confirmed" | "Expired" | "Failed" | "Pending" | "Sent";
                                    confirmed_at: string | null;
                                    amount: number;
                                    currency: string;
                                };
                                live: {
                                    status: string;
                                    txn_id: string | null;
                                    amount: number | null;
                                    currency: string | null;
                                    settled_at: string | null;
                                    stub: boolean;
                                    raw_response: unknown;
                                };
                                match: boolean | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/payment-intents/{name}/trace": {
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                assessment: components["schemas"]["Assessment"];
                                intent: components["schemas"]["Intent"];
                                events: components["schemas"]["Event"][];
                                fiscal_documents: components["schemas"]["FiscalDocument"][];
                                timeline: {
                                    at: string;
                                    kind: string;
                                    actor: string;
                                    summary: string;
                                    doc: string | null;
                                    detail: unknown;
                                }[];
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/payment-links": {
        get: {
            parameters: {
                query?: {
                    assessment?: string;
                    status?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["PaymentLink"][];
                        };
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        assessment: string;
                        channels?: ("agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd")[];
                        return_url?: string;
                        expires_in_hours?: number;
                        currency?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                assessment: string;
                                channels: ("agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd")[];
                                return_url: string | null;
                                status: string;
                                expires_at: string;
                                created_at: string;
                                updated_at: string;
                                url: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/payment-links/{name}": {
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["PaymentLink"];
                        };
                    };
                };
            };
        };
    };
    "/v1/payment-links/{name}:withdraw": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["PaymentLink"];
                        };
                    };
                };
            };
        };
    };
    "/v1/payment-references/{number}": {
        get: {
            parameters: {
                path: {
                    number: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["PaymentReference"];
                        };
                    };
                };
            };
        };
    };
    "/v1/receipts:verify": {
        post: {
            requestBody?: {
                content: {
                    "application/json": {
                        payload?: string;
                        signature?: string;
                        kid?: string;
                        name?: string;
                        code?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                state: string;
                                contents: components["schemas"]["ReceiptContents"] | null;
                                voided_at: string | null;
                                replaced_by: string | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/receipts/{name}": {
        get: {
            parameters: {
                query?: {
                    language?: string;
                };
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Receipt"];
                        };
                    };
                };
            };
        };
    };
    "/v1/receipts/{name}:print": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        station: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Receipt"];
                        };
                    };
                };
            };
        };
    };
    "/v1/sandbox/agencies/{mda}:down": {
        post: {
            parameters: {
                path: {
                    mda: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/sandbox/agencies/{mda}:reject_next": {
        post: {
            parameters: {
                path: {
                    mda: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/sandbox/agencies/{mda}:up": {
        post: {
            parameters: {
                path: {
                    mda: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/sandbox/clock:advance": {
        post: {
            requestBody?: {
                content: {
                    "application/json": {
                        seconds?: number;
                        to?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                seconds: number;
                                payment_intents: number;
                                notices: number;
                                deliveries: number;
                                keys: number;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/sandbox/payment-intents/{name}:duplicate": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Intent"];
                        };
                    };
                };
            };
        };
    };
    "/v1/sandbox/payment-intents/{name}:expire": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Intent"];
                        };
                    };
                };
            };
        };
    };
    "/v1/sandbox/payment-intents/{name}:fail": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Intent"];
                        };
                    };
                };
            };
        };
    };
    "/v1/sandbox/payment-intents/{name}:late": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Intent"];
                        };
                    };
                };
            };
        };
    };
    "/v1/sandbox/payment-intents/{name}:lose_answer": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Intent"];
                        };
                    };
                };
            };
        };
    };
    "/v1/sandbox/payment-intents/{name}:other_amount": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Intent"];
                        };
                    };
                };
            };
        };
    };
    "/v1/sandbox/payment-intents/{name}:succeed": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Intent"];
                        };
                    };
                };
            };
        };
    };
    "/v1/services": {
        get: {
            parameters: {
                query?: {
                    mda?: string;
                    sector?: string;
                    family?: string;
                    code?: string;
                    q?: string;
                    status?: "Active" | "Inactive";
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Service"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/services/{name}": {
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Service"];
                        };
                    };
                };
            };
        };
    };
    "/v1/session": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                authenticated: boolean;
                                integrator: {
                                    code: string;
                                    display_name: string;
                                    contact_email: string;
                                    tier: "live" | "sandbox";
                                    pricing_tier: string;
                                    last_login_at: string | null;
                                } | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/signup": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        full_name: string;
                        email: string;
                        organisation: string;
                        tos_accepted_version: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                integrator_id: string;
                                message: string;
                                expires_at_iso: string;
                                sends_remaining_today: number;
                                dev_otp?: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/signup/resend-otp": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        integrator_id: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                integrator_id: string;
                                message: string;
                                expires_at_iso: string;
                                sends_remaining_today: number;
                                dev_otp?: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/signup/tos": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                version: string;
                                summary: string;
                                document_url: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/signup/verify": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        integrator_id: string;
                        otp: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                integrator_id: string;
                                plaintext: string;
                                key: components["schemas"]["ApiKey"];
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/sms/{gateway}/messages": {
        post: {
            parameters: {
                query?: {
                    proof?: string;
                };
                path: {
                    gateway: string;
                };
            };
            requestBody: {
                content: {
                    "application/x-www-form-urlencoded": string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                decision: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/sms/{gateway}/reports": {
        post: {
            parameters: {
                query?: {
                    proof?: string;
                };
                path: {
                    gateway: string;
                };
            };
            requestBody: {
                content: {
                    "application/x-www-form-urlencoded": string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                decision: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/supervisor/dashboard": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                as_of: string;
                                open_shifts: components["schemas"]["ShiftSummary"][];
                                pending_variances: components["schemas"]["ShiftSummary"][];
                                takings: {
                                    mda: string;
                                    clerk: string;
                                    currency: string;
                                    cash: number;
                                    non_cash: number;
                                    collections: number;
                                }[];
                                cancellations: {
                                    assessment: string;
                                    shift: string;
                                    mda: string;
                                    clerk: string;
                                    currency: string;
                                    amount: number;
                                    reason: string | null;
                                    cancelled_at: string;
                                }[];
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/supervisor/shifts/{name}:approve": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        note?: string;
                        resolve_anomaly?: boolean;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Shift"];
                        };
                    };
                };
            };
        };
    };
    "/v1/supervisor/shifts/{name}:cancel": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Shift"];
                        };
                    };
                };
            };
        };
    };
    "/v1/supervisor/shifts/{name}:escalate": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        note?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Shift"];
                        };
                    };
                };
            };
        };
    };
    "/v1/supervisor/shifts/{name}:reject": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        note?: string;
                        resolve_anomaly?: boolean;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Shift"];
                        };
                    };
                };
            };
        };
    };
    "/v1/webhooks/{provider}": {
        put: {
            parameters: {
                query?: {
                    intent?: string;
                    proof?: string;
                };
                header?: {
                    "X-Service-Signature"?: string;
                    "verif-hash"?: string;
                    "flutterwave-signature"?: string;
                };
                path: {
                    provider: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                decision: string;
                                intent: string | null;
                                object?: string;
                            };
                        };
                    };
                };
            };
        };
        post: {
            parameters: {
                query?: {
                    intent?: string;
                    proof?: string;
                };
                header?: {
                    "X-Service-Signature"?: string;
                    "verif-hash"?: string;
                    "flutterwave-signature"?: string;
                };
                path: {
                    provider: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                decision: string;
                                intent: string | null;
                                object?: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/work/businesses": {
        get: {
            parameters: {
                query: {
                    name: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Business"][];
                        };
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        name: string;
                        owner_nin: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Business"];
                        };
                    };
                };
            };
        };
    };
    "/v1/work/citizens": {
        post: {
            parameters: {
                header?: {
                    "X-Purpose"?: components["parameters"]["Purpose"];
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        nin: string;
                        full_name?: string;
                        phone?: string;
                        language?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                citizen: components["schemas"]["Citizen"];
                                created: boolean;
                                source: "local" | "nira" | "not_found";
                                consent_event: string | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/work/citizens/{name}:confirm": {
        post: {
            parameters: {
                header?: {
                    "X-Purpose"?: components["parameters"]["Purpose"];
                };
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Citizen"];
                        };
                    };
                };
            };
        };
    };
    "/v1/work/invitations:accept": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                        password: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                message: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/work/login": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        email: string;
                        password: string;
                        code?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Whoami"];
                        };
                    };
                };
            };
        };
    };
    "/v1/work/login:begin": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        email: string;
                        password: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                code_required: boolean;
                                attempt: string | null;
                                passkey_request: unknown;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/work/login:complete": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        attempt: string;
                        code?: string;
                        passkey?: unknown;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Whoami"];
                        };
                    };
                };
            };
        };
    };
    "/v1/work/logout": {
        post: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                message: string;
                                sign_out_url?: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/work/mdas": {
        get: {
            parameters: {
                query?: {
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                name: string;
                                mda_name: string;
                                interaction_mode: "A" | "B" | "C";
                                country: string;
                                mda_type: string;
                                status: "Active" | "Inactive" | "Sandbox";
                            }[];
                        };
                    };
                };
            };
        };
    };
    "/v1/work/passkeys": {
        get: {
            parameters: {
                query?: {
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Passkey"][];
                        };
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        label: string;
                        credential: unknown;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                passkey: components["schemas"]["Passkey"];
                                recovery_codes: string[] | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/work/passkeys:begin": {
        post: {
            requestBody?: {
                content: {
                    "application/json": {
                        code?: string;
                        passkey?: unknown;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                options: unknown;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/work/passkeys:request": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: unknown;
                        };
                    };
                };
            };
        };
    };
    "/v1/work/passkeys/{id}:remove": {
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        code?: string;
                        passkey?: unknown;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                message: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/work/password": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        current_password: string;
                        new_password: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                message: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/work/password-reset:complete": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                        password: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                message: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/work/password-reset:request": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        email: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                message: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/work/second-factor:confirm": {
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        code: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                recovery_codes: string[];
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/work/second-factor:enrol": {
        post: {
            requestBody?: {
                content: {
                    "application/json": {
                        code?: string;
                        passkey?: unknown;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                secret: string;
                                otpauth_url: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/work/second-factor:remove": {
        post: {
            requestBody?: {
                content: {
                    "application/json": {
                        code?: string;
                        passkey?: unknown;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                message: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/work/second-factor:verify": {
        post: {
            requestBody?: {
                content: {
                    "application/json": {
                        code?: string;
                        passkey?: unknown;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                message: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/work/shifts": {
        get: {
            parameters: {
                query?: {
                    variance_status?: "Approved" | "Escalated" | "Pending" | "Rejected";
                    mda?: string;
                    clerk?: string;
                    from_date?: string;
                    to_date?: string;
                    start?: number;
                    limit?: number;
                    after?: string;
                    bom?: boolean;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["ShiftSummary"][];
                        };
                    };
                };
            };
        };
    };
    "/v1/work/shifts/{name}": {
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Shift"];
                        };
                    };
                };
            };
        };
    };
    "/v1/work/shifts/{name}:approve": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        note?: string;
                        resolve_anomaly?: boolean;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Shift"];
                        };
                    };
                };
            };
        };
    };
    "/v1/work/shifts/{name}:cancel": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Shift"];
                        };
                    };
                };
            };
        };
    };
    "/v1/work/shifts/{name}:escalate": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        note?: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Shift"];
                        };
                    };
                };
            };
        };
    };
    "/v1/work/shifts/{name}:reject": {
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        note?: string;
                        resolve_anomaly?: boolean;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Shift"];
                        };
                    };
                };
            };
        };
    };
    "/v1/work/taxpayers": {
        get: {
            parameters: {
                query: {
                    tin: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: {
                                tin: string;
                                full_name: string;
                                status: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "/v1/work/whoami": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["Whoami"];
                        };
                    };
                };
            };
        };
    };
    "/v1/openapi.json": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
    };
    "/v1/asyncapi.json": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
    };
    "/v1/docs": {
        get: {
            responses: {
                200: {
                    content: {
                        "text/html": string;
                    };
                };
            };
        };
    };
}
export interface webhooks {
    "alert.raised": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AlertRaisedEvent"];
                };
            };
            responses: never;
        };
    };
    "assessment.bill_changed": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AssessmentBillChangedEvent"];
                };
            };
            responses: never;
        };
    };
    "assessment.cancelled": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AssessmentCancelledEvent"];
                };
            };
            responses: never;
        };
    };
    "assessment.paid": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AssessmentPaidEvent"];
                };
            };
            responses: never;
        };
    };
    "assessment.propagated": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AssessmentPropagatedEvent"];
                };
            };
            responses: never;
        };
    };
    "assessment.propagation_rejected": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AssessmentPropagationRejectedEvent"];
                };
            };
            responses: never;
        };
    };
    "assessment.propagation_reversed": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AssessmentPropagationReversedEvent"];
                };
            };
            responses: never;
        };
    };
    "assessment.receipt_issued": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AssessmentReceiptIssuedEvent"];
                };
            };
            responses: never;
        };
    };
    "citizen.identity_changed": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CitizenIdentityChangedEvent"];
                };
            };
            responses: never;
        };
    };
    "fiscal_document.issued": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FiscalDocumentIssuedEvent"];
                };
            };
            responses: never;
        };
    };
    "money_received.booked": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MoneyReceivedBookedEvent"];
                };
            };
            responses: never;
        };
    };
    "notice.published": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NoticePublishedEvent"];
                };
            };
            responses: never;
        };
    };
    "notice.withdrawn": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NoticeWithdrawnEvent"];
                };
            };
            responses: never;
        };
    };
    "payment_event.created": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentEventCreatedEvent"];
                };
            };
            responses: never;
        };
    };
    "payment_event.reversed": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentEventReversedEvent"];
                };
            };
            responses: never;
        };
    };
    "payment_intent.confirmed": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentIntentConfirmedEvent"];
                };
            };
            responses: never;
        };
    };
    "payment_intent.expired": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentIntentExpiredEvent"];
                };
            };
            responses: never;
        };
    };
    "payment_intent.failed": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentIntentFailedEvent"];
                };
            };
            responses: never;
        };
    };
    "receipt.issued": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReceiptIssuedEvent"];
                };
            };
            responses: never;
        };
    };
    "receipt.voided": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReceiptVoidedEvent"];
                };
            };
            responses: never;
        };
    };
    "webhook.test": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookTestEvent"];
                };
            };
            responses: never;
        };
    };
}
export interface components {
    schemas: {
        AccountChange: {
            name: string;
            mda: string;
            status: "Approved" | "Pending" | "Refused";
            account_last4: string;
            former_account_last4: string | null;
            reason: string;
            requested_by: string;
            created_at: string;
            decided_by: string | null;
            decided_at: string | null;
            effective_at: string | null;
            applied_at: string | null;
            decision_note: string | null;
            updated_at: string;
        };
        AdminGrant: {
            name: string;
            staff: string;
            status: string;
            asked_by: string;
            asked_reason: string | null;
            decided_by: string | null;
            decided_at: string | null;
            decided_reason: string | null;
            created_at: string;
            updated_at: string;
        };
        AgencyEndpoint: {
            name: string;
            id: string;
            method: string;
            path: string;
            agency_kind: string;
            version: string;
            auth_mode: string;
            base_url: string | null;
            last_probe_at: string | null;
            last_probe_status: string | null;
            last_probe_ms: number | null;
        };
        AgencyKey: {
            name: string;
            mda: string;
            label: string;
            kid: string;
            public_key: unknown;
            thumbprint: string;
            status: "active" | "expired" | "revoked" | "rolling" | "waiting";
            scopes: string[];
            created_at: string;
            updated_at: string;
            last_used_at: string | null;
            expires_at: string | null;
            revoked_at: string | null;
            revoked_reason: string | null;
            registered_by: string;
        };
        AlertRule: {
            name: string;
            staff: string | null;
            role: string | null;
            staff_of: string | null;
            transport: string;
            kinds: string[];
            severity: string;
            agencies: string[];
            quiet_from: string | null;
            quiet_to: string | null;
            enabled: boolean;
            created_by: string;
            created_at: string;
            updated_at: string;
        };
        Anomaly: {
            name: string;
            kind: string;
            mda: string | null;
            mdas: string[];
            severity: string;
            status: "Open" | "Resolved";
            subject: string;
            evidence: unknown;
            raised_at: string;
            resolved_at: string | null;
            resolved_by: string | null;
            resolution: string | null;
            assignee: string | null;
            snoozed_until: string | null;
            created_at: string;
            updated_at: string;
        };
        ApiKey: {
            name: string;
            label: string;
            prefix: string;
            last4: string;
            status: "active" | "expired" | "revoked" | "rolling" | "waiting";
            scopes: string[];
            supervises: string[];
            counters: string[];
            manages_account: boolean;
            origins: string[];
            operations: string[];
            agencies: string[];
            created_at: string;
            updated_at: string;
            last_used_at: string | null;
            expires_at: string | null;
            revoked_at: string | null;
            revoked_reason: string | null;
        };
        Approval: {
            name: string;
            kind: string;
            subject: string;
            proposal: unknown;
            status: "Approved" | "Expired" | "Pending" | "Refused";
            asked_by: string;
            asked_reason: string | null;
            decided_by: string | null;
            decided_at: string | null;
            decided_reason: string | null;
            expires_at: string;
            created_at: string;
            updated_at: string;
        };
        Assessment: {
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
            lines: components["schemas"]["AssessmentLine"][];
            pending_approval: components["schemas"]["PendingApproval"] | null;
        };
        AssessmentLine: {
            idx: number;
            service: string;
            service_name: string;
            mda: string;
            quantity: number;
            rate: number;
            amount: number;
        };
        AssessmentLineInput: {
            mda?: string;
            quantity?: number;
            service: string;
        };
        AssessmentLines: {
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
            lines: components["schemas"]["AssessmentLine"][];
        };
        Business: {
            registration_number: string;
            business_name: string;
            status: string;
        };
        CatalogueEntry: {
            name: string;
            at: string;
            actor: string;
            action: string;
            before: unknown;
            after: unknown;
            effective_from: string | null;
            reason: string | null;
            request_id: string;
        };
        Citizen: {
            name: string;
            nin: string;
            full_name: string;
            phone: string | null;
            language: string | null;
            texts_stopped_at: string | null;
            verified: boolean;
            created_at: string;
            updated_at: string;
        };
        DefaultEndpoint: {
            code: string;
            url: string | null;
            status: "disabled" | "enabled" | "none";
            disabled_at: string | null;
            disabled_reason: "answered_gone" | "kept_failing" | null;
            created_at: string | null;
            updated_at: string | null;
        };
        Delivery: {
            name: string;
            message: string;
            endpoint: string | null;
            type: string;
            object: string;
            sequence: number;
            status: "dead" | "delivered" | "pending";
            attempt_count: number;
            next_attempt_at: string | null;
            on_hold: "account_suspended" | "agency_inactive" | "endpoint_disabled" | "no_endpoint" | null;
            last_http_status: number | null;
            created_at: string;
            updated_at: string;
            delivered_at: string | null;
            attempts: {
                at: string;
                endpoint: string;
                http_status: number | null;
                duration_ms: number;
                error: string | null;
                answer: string | null;
            }[];
        };
        DenominationInput: {
            count: number;
            value: number;
        };
        Envelope: {
            id: string;
            type: string;
            created_at: string;
            sequence: number;
            data: {
                object: unknown;
            };
            test?: boolean;
        };
        Event: {
            name: string;
            intent: string;
            assessment: string;
            mda: string;
            amount: number;
            currency: string;
            channel: "agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd";
            kind: "payment" | "reversal";
            aggregator_reference: string;
            txn_id: string | null;
            proof: "approval" | "callback" | "cash" | "enquiry" | "simulated" | null;
            occurred_at: string;
            seal: {
                sequence: number;
                hash: string;
            } | null;
            created_at: string;
            updated_at: string;
        };
        FigureRecordColumns: {
            accepted_notices?: number;
            age?: string;
            agency?: string;
            agency_name?: string;
            ahead_of_target?: number;
            amount_differs?: number;
            anomalies?: number;
            anomaly?: string;
            approved?: number;
            assessed?: number;
            assessments?: number;
            attempts?: number;
            average?: number;
            cancellations?: number;
            cancelled?: number;
            cancelled_amount?: number;
            cause?: string;
            channel?: string;
            collected?: number;
            confirmed?: number;
            counter?: string;
            country?: string;
            currency?: string;
            day?: string;
            dead_deliveries?: number;
            dead_notices?: number;
            delivered?: number;
            difference?: number;
            district?: string;
            duplicate?: number;
            escalated?: number;
            events?: number;
            expected_cash?: number;
            expired?: number;
            failed?: number;
            family?: string;
            first_time_payers?: number;
            fiscal_year?: string;
            hidden?: string;
            hour?: number;
            integrator?: string;
            kind?: string;
            largest_cancellation?: number;
            largest_reversal?: number;
            largest_shortage?: number;
            largest_surplus?: number;
            lower_quartile?: number;
            matched?: number;
            material?: number;
            material_shortage?: number;
            material_surplus?: number;
            mean_variance?: number;
            median?: number;
            missing_here?: number;
            missing_there?: number;
            month?: string;
            most_by_one_clerk?: number;
            net?: number;
            newest?: string;
            oldest?: string;
            open?: number;
            outstanding?: number;
            p50?: number;
            p90?: number;
            p99?: number;
            paid?: number;
            paid_assessments?: number;
            payers?: number;
            payments?: number;
            pending?: number;
            pending_deliveries?: number;
            pending_notices?: number;
            pieces?: number;
            proof?: string;
            provider?: string;
            quarter?: string;
            receipts?: number;
            recorded?: number;
            region?: string;
            registered?: number;
            rejected?: number;
            reprinted_receipts?: number;
            returned?: number;
            reversals?: number;
            reversed?: number;
            same_hand_reversals?: number;
            sector?: string;
            service?: string;
            service_code?: string;
            service_name?: string;
            settled?: number;
            severity?: string;
            shifts?: number;
            size?: number;
            sized_amount?: number;
            sized_payments?: number;
            sold?: number;
            source?: string;
            standard_deviation?: number;
            statements?: number;
            station?: string;
            status?: string;
            success_rate?: number;
            target?: number;
            target_share?: number;
            unexplained_cancellations?: number;
            unexplained_reversals?: number;
            unmatched_amount?: number;
            unmatched_payments?: number;
            unpaid_amount?: number;
            unpaid_assessments?: number;
            unresolved?: number;
            upper_quartile?: number;
            variance?: number;
            variances?: number;
            void_receipts?: number;
            week?: string;
            weekday?: number;
            with_variance?: number;
            year?: string;
        };
        FiscalDocument: {
            name: string;
            issuer: string;
            number: string;
            assessment: string;
            payment_event: string | null;
            mda: string | null;
            url: string | null;
            issued_at: string | null;
            created_at: string;
            updated_at: string;
        };
        Intent: {
            name: string;
            assessment: string;
            channel: "agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd";
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
            next_action: {
                type: string;
                url: string | null;
                expires_at: string | null;
            } | null;
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
        };
        LiveRequest: {
            name: string;
            status: "Approved" | "Pending" | "Refused";
            agencies: string[];
            channels: string[];
            note: string | null;
            approved_agencies: string[];
            approved_channels: string[];
            limit_per_minute: number | null;
            reason: string | null;
            decided_at: string | null;
            created_at: string;
            updated_at: string;
        };
        Lookup: {
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
        };
        ManagedMda: {
            name: string;
            mda_name: string;
            interaction_mode: "A" | "B" | "C";
            country: string;
            mda_type: string;
            status: "Active" | "Inactive" | "Sandbox";
            created_at: string;
            updated_at: string;
            region: string | null;
            district: string | null;
            cash_limit: number | null;
            shift_cash_limit: number | null;
            country_cash_limit: number | null;
            country_shift_cash_limit: number | null;
            currency: string | null;
            time_zone: string;
            collection_account_last4: string | null;
            revision: number;
        };
        ManagedService: {
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
            fee_in_force: boolean;
            next_fee_amount: number | null;
            next_fee_from: string | null;
            revision: number;
            pending_approval: components["schemas"]["PendingApproval"] | null;
        };
        Mda: {
            name: string;
            mda_name: string;
            interaction_mode: "A" | "B" | "C";
            country: string;
            mda_type: string;
            status: "Active" | "Inactive" | "Sandbox";
            created_at: string;
            updated_at: string;
        };
        MoneyReceived: {
            name: string;
            provider: string;
            txn_id: string;
            kind: string;
            amount: number;
            currency: string;
            channel: "agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd";
            reference: string | null;
            intent: string | null;
            assessment: string | null;
            received_at: string;
            created_at: string;
            updated_at: string;
        };
        Notice: {
            name: string;
            title: string;
            body: string;
            severity: "critical" | "info" | "warning";
            channels: ("agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd")[];
            agencies: string[];
            rooms: ("agency" | "console" | "counter" | "dashboard" | "oversight" | "supervision")[];
            starts_at: string;
            ends_at: string | null;
            created_at: string;
            updated_at: string;
        };
        OpenSession: {
            name: string;
            kind: "integrator" | "staff";
            owner: string;
            created_at: string;
            last_seen_at: string | null;
            expires_at: string;
            ended_at: string | null;
        };
        OperatedIntegrator: {
            name: string;
            code: string;
            display_name: string;
            contact_email: string;
            contact_name: string | null;
            organisation: string;
            tier: "live" | "sandbox";
            pricing_tier: string;
            allowed_channels: string[];
            allowed_agencies: string[];
            limit_per_minute: number | null;
            status: "Active" | "PendingEmail" | "Suspended";
            email_verified: boolean;
            webhook_endpoint: string | null;
            webhook_status: "disabled" | "enabled" | "none";
            webhook_disabled_at: string | null;
            webhook_disabled_reason: "answered_gone" | "kept_failing" | null;
            anticipated_volume_monthly: number | null;
            scopes: string[];
            notes: string | null;
            pending_approval: components["schemas"]["PendingApproval"] | null;
            suspended_reason: string | null;
            last_login_at: string | null;
            active_key_count: number;
            total_key_count: number;
            created_at: string;
            updated_at: string;
        };
        OperatedKey: {
            name: string;
            label: string;
            prefix: string;
            last4: string;
            status: "active" | "expired" | "revoked" | "rolling" | "waiting";
            scopes: string[];
            supervises: string[];
            counters: string[];
            manages_account: boolean;
            origins: string[];
            operations: string[];
            agencies: string[];
            created_at: string;
            updated_at: string;
            last_used_at: string | null;
            expires_at: string | null;
            revoked_at: string | null;
            revoked_reason: string | null;
            integrator: string;
            issued_by: string | null;
            pending_approval: components["schemas"]["PendingApproval"] | null;
        };
        OperatedLiveRequest: {
            name: string;
            status: "Approved" | "Pending" | "Refused";
            agencies: string[];
            channels: string[];
            note: string | null;
            approved_agencies: string[];
            approved_channels: string[];
            limit_per_minute: number | null;
            reason: string | null;
            decided_at: string | null;
            created_at: string;
            updated_at: string;
            integrator: string;
            decided_by: string | null;
            pending_approval: components["schemas"]["PendingApproval"] | null;
        };
        OperatedNotice: {
            name: string;
            title: string;
            body: string;
            severity: "critical" | "info" | "warning";
            channels: ("agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd")[];
            agencies: string[];
            rooms: ("agency" | "console" | "counter" | "dashboard" | "oversight" | "supervision")[];
            starts_at: string;
            ends_at: string | null;
            created_at: string;
            updated_at: string;
            status: "in_effect" | "over" | "scheduled" | "withdrawn";
            withdrawn_at: string | null;
        };
        Passkey: {
            id: string;
            label: string;
            last_used_at: string | null;
            created_at: string;
        };
        PayerMessage: {
            name: string;
            kind: string;
            transport: string;
            language: string;
            status: string;
            subject: string;
            citizen: string;
            assessment: string;
            intent: string | null;
            attempts: number;
            failure: string | null;
            gateway: string | null;
            cost: number | null;
            currency: string | null;
            created_at: string;
            sent_at: string | null;
            delivered_at: string | null;
            updated_at: string;
        };
        PaymentLink: {
            name: string;
            assessment: string;
            channels: ("agent" | "airtel_money" | "bank" | "card" | "cash" | "mtn_momo" | "ussd")[];
            return_url: string | null;
            status: string;
            expires_at: string;
            created_at: string;
            updated_at: string;
        };
        PaymentReference: {
            number: string;
            amount: number;
            currency: string;
            status: string;
            expires_at: string;
            agencies: {
                name: string;
                mda_name: string;
            }[];
            assessment: string | null;
            paid_by: string | null;
            created_at: string | null;
            updated_at: string | null;
        };
        PendingApproval: {
            name: string;
            proposal: unknown;
            asked_by: string;
            expires_at: string;
        };
        Profile: {
            name: string;
            code: string;
            display_name: string;
            contact_email: string;
            organisation: string;
            tier: "live" | "sandbox";
            pricing_tier: string;
            allowed_channels: string[];
            allowed_agencies: string[];
            limit_per_minute: number | null;
            status: "Active" | "PendingEmail" | "Suspended";
            email_verified: boolean;
            webhook_endpoint: string | null;
            webhook_status: "disabled" | "enabled" | "none";
            webhook_disabled_at: string | null;
            webhook_disabled_reason: "answered_gone" | "kept_failing" | null;
            return_hosts: string[];
            anticipated_volume_monthly: number | null;
            contact_phone: string | null;
            last_login_at: string | null;
            active_key_count: number;
            total_key_count: number;
            requests_last_7_days: number;
            created_at: string;
            updated_at: string;
        };
        Propagation: {
            name: string;
            assessment: string;
            mda: string;
            kind: string;
            status: "dead" | "done" | "pending" | "rejected";
            maybe_told: boolean;
            rejections: number;
            attempts: number;
            next_attempt_at: string | null;
            last_error: string | null;
            receipt: string | null;
            created_at: string;
            updated_at: string;
            done_at: string | null;
        };
        Receipt: {
            name: string;
            assessment: string;
            intent: string;
            status: "Issued" | "Void";
            contents: components["schemas"]["ReceiptContents"];
            payload: string | null;
            signature: string | null;
            kid: string;
            code: string | null;
            url: string | null;
            proof: "approval" | "callback" | "cash" | "enquiry" | "simulated" | null;
            copies: number;
            voided_at: string | null;
            replaced_by: string | null;
            created_at: string;
            updated_at: string;
        };
        ReceiptContents: {
            kind: string;
            amount: number;
            currency: string;
            channel: string;
            paid_at: string;
            payer_initials: string;
            agencies: {
                mda: string;
                amount: number;
                event: string;
            }[];
            other_agencies: number;
            other_amount: number | null;
            services: string[];
            other_services: number;
        };
        ReconciliationItem: {
            name: string;
            outcome: "amount_differs" | "duplicate" | "matched" | "missing_here" | "missing_there";
            line: number | null;
            reference: string;
            intent: string | null;
            intent_status: "Confirmed" | "Expired" | "Failed" | "Pending" | "Sent" | null;
            statement_amount: number | null;
            statement_currency: string | null;
            recorded_amount: number | null;
            recorded_currency: string | null;
            txn_id: string | null;
        };
        ReconciliationRun: {
            name: string;
            provider: string;
            from: string;
            to: string;
            part: number | null;
            parts: number | null;
            rerun_of: string | null;
            source_hash: string;
            ignored: number;
            ignored_statuses: {
                status: string;
                count: number;
            }[];
            matched: number;
            missing_here: number;
            missing_there: number;
            amount_differs: number;
            duplicate: number;
            created_by: string;
            created_at: string;
            updated_at: string;
        };
        Service: {
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
        };
        Shift: {
            name: string;
            mda: string;
            clerk: string;
            counter_label: string | null;
            status: "Cancelled" | "Closed" | "Open";
            currency: string;
            opening_float: number;
            opened_at: string;
            cash_collected: number | null;
            non_cash_collected: number;
            collection_count: number;
            expected_cash: number | null;
            cash_counted: number | null;
            variance: number | null;
            variance_reason: string | null;
            variance_status: "Approved" | "Escalated" | "Pending" | "Rejected" | null;
            variance_decided_by: string | null;
            cancel_reason: string | null;
            closed_at: string | null;
            created_at: string;
            updated_at: string;
            opening_notes: string | null;
            closing_notes: string | null;
            variance_note: string | null;
            counts: number[];
            denominations: {
                value: number;
                count: number;
            }[] | null;
        };
        ShiftSummary: {
            name: string;
            mda: string;
            clerk: string;
            counter_label: string | null;
            status: "Cancelled" | "Closed" | "Open";
            currency: string;
            opening_float: number;
            opened_at: string;
            cash_collected: number | null;
            non_cash_collected: number;
            collection_count: number;
            expected_cash: number | null;
            cash_counted: number | null;
            variance: number | null;
            variance_reason: string | null;
            variance_status: "Approved" | "Escalated" | "Pending" | "Rejected" | null;
            variance_decided_by: string | null;
            cancel_reason: string | null;
            closed_at: string | null;
            created_at: string;
            updated_at: string;
        };
        SplitInput: {
            amount: number;
            mda: string;
        };
        Staff: {
            email: string;
            full_name: string;
            roles: string[];
            agencies: string[];
            active: boolean;
            status: string;
            has_second_factor: boolean;
            has_authenticator_app: boolean;
            break_glass: boolean;
            admin_pending: boolean;
            pending_approval: components["schemas"]["PendingApproval"] | null;
            invited_at: string | null;
            deactivated_at: string | null;
            deactivated_reason: string | null;
            created_at: string;
            updated_at: string;
        };
        WebhookEndpoint: {
            name: string;
            label: string;
            url: string;
            types: string[];
            agencies: string[];
            default: boolean;
            status: "disabled" | "enabled" | "none";
            disabled_at: string | null;
            disabled_reason: "answered_gone" | "kept_failing" | null;
            failing_since: string | null;
            created_at: string;
            updated_at: string;
        };
        Whoami: {
            authenticated: boolean;
            email?: string;
            full_name?: string;
            roles?: string[];
            agencies?: string[];
            scopes?: string[];
            is_clerk?: boolean;
            is_supervisor?: boolean;
            is_admin?: boolean;
            is_system_manager?: boolean;
            is_oversight?: boolean;
            is_finance_officer?: boolean;
            is_auditor?: boolean;
            second_factor_required?: boolean;
        };
        AlertRaisedEvent: {
            id: string;
            type: "alert.raised";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    rule: string;
                    agencies: string[];
                    anomalies: {
                        name: string;
                        kind: string;
                        severity: "low" | "medium" | "high";
                        mdas: string[];
                        raised_at: string;
                    }[];
                    more: number;
                };
            };
        };
        AssessmentBillChangedEvent: {
            id: string;
            type: "assessment.bill_changed";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    citizen: string;
                    status: "Draft" | "Assessed" | "Paid" | "Cancelled";
                    currency: string;
                    total_amount: number;
                    lines: {
                        idx: number;
                        service: string;
                        service_name: string;
                        mda: string;
                        quantity: number;
                        rate: number;
                        amount: number;
                    }[];
                    shift: string | null;
                    cancel_reason: string | null;
                    assessed_at: string | null;
                    paid_at: string | null;
                    cancelled_at: string | null;
                    created_at: string;
                    updated_at: string;
                    reference?: string;
                    metadata?: {
                        [key: string]: string;
                    };
                    differences: {
                        mda: string;
                        service: string;
                        amount: number;
                        agency_amount: number;
                    }[];
                };
            };
        };
        AssessmentCancelledEvent: {
            id: string;
            type: "assessment.cancelled";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    citizen: string;
                    status: "Draft" | "Assessed" | "Paid" | "Cancelled";
                    currency: string;
                    total_amount: number;
                    lines: {
                        idx: number;
                        service: string;
                        service_name: string;
                        mda: string;
                        quantity: number;
                        rate: number;
                        amount: number;
                    }[];
                    shift: string | null;
                    cancel_reason: string | null;
                    assessed_at: string | null;
                    paid_at: string | null;
                    cancelled_at: string | null;
                    created_at: string;
                    updated_at: string;
                    reference?: string;
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        AssessmentPaidEvent: {
            id: string;
            type: "assessment.paid";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    citizen: string;
                    status: "Draft" | "Assessed" | "Paid" | "Cancelled";
                    currency: string;
                    total_amount: number;
                    lines: {
                        idx: number;
                        service: string;
                        service_name: string;
                        mda: string;
                        quantity: number;
                        rate: number;
                        amount: number;
                    }[];
                    shift: string | null;
                    cancel_reason: string | null;
                    assessed_at: string | null;
                    paid_at: string | null;
                    cancelled_at: string | null;
                    created_at: string;
                    updated_at: string;
                    reference?: string;
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        AssessmentPropagatedEvent: {
            id: string;
            type: "assessment.propagated";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    citizen: string;
                    status: "Draft" | "Assessed" | "Paid" | "Cancelled";
                    currency: string;
                    total_amount: number;
                    lines: {
                        idx: number;
                        service: string;
                        service_name: string;
                        mda: string;
                        quantity: number;
                        rate: number;
                        amount: number;
                    }[];
                    shift: string | null;
                    cancel_reason: string | null;
                    assessed_at: string | null;
                    paid_at: string | null;
                    cancelled_at: string | null;
                    created_at: string;
                    updated_at: string;
                    reference?: string;
                    metadata?: {
                        [key: string]: string;
                    };
                    propagated_to: string[];
                };
            };
        };
        AssessmentPropagationRejectedEvent: {
            id: string;
            type: "assessment.propagation_rejected";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    citizen: string;
                    status: "Draft" | "Assessed" | "Paid" | "Cancelled";
                    currency: string;
                    total_amount: number;
                    lines: {
                        idx: number;
                        service: string;
                        service_name: string;
                        mda: string;
                        quantity: number;
                        rate: number;
                        amount: number;
                    }[];
                    shift: string | null;
                    cancel_reason: string | null;
                    assessed_at: string | null;
                    paid_at: string | null;
                    cancelled_at: string | null;
                    created_at: string;
                    updated_at: string;
                    reference?: string;
                    metadata?: {
                        [key: string]: string;
                    };
                    propagated_to: string[];
                    rejection: {
                        mda: string;
                        kind: "payment" | "reversal";
                        reason: string;
                    };
                };
            };
        };
        AssessmentPropagationReversedEvent: {
            id: string;
            type: "assessment.propagation_reversed";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    citizen: string;
                    status: "Draft" | "Assessed" | "Paid" | "Cancelled";
                    currency: string;
                    total_amount: number;
                    lines: {
                        idx: number;
                        service: string;
                        service_name: string;
                        mda: string;
                        quantity: number;
                        rate: number;
                        amount: number;
                    }[];
                    shift: string | null;
                    cancel_reason: string | null;
                    assessed_at: string | null;
                    paid_at: string | null;
                    cancelled_at: string | null;
                    created_at: string;
                    updated_at: string;
                    reference?: string;
                    metadata?: {
                        [key: string]: string;
                    };
                    propagated_to: string[];
                    reversal_propagated_to: string[];
                };
            };
        };
        AssessmentReceiptIssuedEvent: {
            id: string;
            type: "assessment.receipt_issued";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    citizen: string;
                    status: "Draft" | "Assessed" | "Paid" | "Cancelled";
                    currency: string;
                    total_amount: number;
                    lines: {
                        idx: number;
                        service: string;
                        service_name: string;
                        mda: string;
                        quantity: number;
                        rate: number;
                        amount: number;
                    }[];
                    shift: string | null;
                    cancel_reason: string | null;
                    assessed_at: string | null;
                    paid_at: string | null;
                    cancelled_at: string | null;
                    created_at: string;
                    updated_at: string;
                    reference?: string;
                    metadata?: {
                        [key: string]: string;
                    };
                    propagated_to: string[];
                    receipt: {
                        mda: string;
                        kind: "payment" | "reversal";
                        number: string;
                    };
                };
            };
        };
        CitizenIdentityChangedEvent: {
            id: string;
            type: "citizen.identity_changed";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    assessments: string[];
                };
            };
        };
        FiscalDocumentIssuedEvent: {
            id: string;
            type: "fiscal_document.issued";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    issuer: string;
                    number: string;
                    assessment: string;
                    payment_event: string | null;
                    mda: string | null;
                    url: string | null;
                    issued_at: string | null;
                    created_at: string;
                };
            };
        };
        MoneyReceivedBookedEvent: {
            id: string;
            type: "money_received.booked";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    kind: "over" | "short" | "late" | "withdrawn" | "already_paid" | "unknown_reference" | "wrong_currency" | "unapplied" | "event_reused";
                    amount: number;
                    currency: string;
                    channel: "mtn_momo" | "airtel_money" | "card" | "cash" | "bank" | "agent" | "ussd";
                    provider: string;
                    txn_id: string;
                    reference: string | null;
                    intent: string | null;
                    assessment: string;
                    agencies: string[];
                    received_at: string;
                    created_at: string;
                    updated_at: string;
                };
            };
        };
        NoticePublishedEvent: {
            id: string;
            type: "notice.published";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    title: string;
                    body: string;
                    severity: "info" | "warning" | "critical";
                    channels: string[];
                    agencies: string[];
                    rooms: string[];
                    starts_at: string;
                    ends_at: string | null;
                    created_at: string;
                    updated_at: string;
                    withdrawn_at: string | null;
                };
            };
        };
        NoticeWithdrawnEvent: {
            id: string;
            type: "notice.withdrawn";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    title: string;
                    body: string;
                    severity: "info" | "warning" | "critical";
                    channels: string[];
                    agencies: string[];
                    rooms: string[];
                    starts_at: string;
                    ends_at: string | null;
                    created_at: string;
                    updated_at: string;
                    withdrawn_at: string | null;
                };
            };
        };
        PaymentEventCreatedEvent: {
            id: string;
            type: "payment_event.created";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    intent: string;
                    assessment: string;
                    mda: string;
                    amount: number;
                    currency: string;
                    channel: "mtn_momo" | "airtel_money" | "card" | "cash" | "bank" | "agent" | "ussd";
                    kind: "payment" | "reversal";
                    aggregator_reference: string;
                    txn_id: string | null;
                    proof: "callback" | "enquiry" | "cash" | "approval" | "simulated" | null;
                    occurred_at: string;
                    seal: {
                        sequence: number;
                        hash: string;
                    };
                    created_at: string;
                    updated_at: string;
                };
            };
        };
        PaymentEventReversedEvent: {
            id: string;
            type: "payment_event.reversed";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    intent: string;
                    assessment: string;
                    mda: string;
                    amount: number;
                    currency: string;
                    channel: "mtn_momo" | "airtel_money" | "card" | "cash" | "bank" | "agent" | "ussd";
                    kind: "payment" | "reversal";
                    aggregator_reference: string;
                    txn_id: string | null;
                    proof: "callback" | "enquiry" | "cash" | "approval" | "simulated" | null;
                    occurred_at: string;
                    seal: {
                        sequence: number;
                        hash: string;
                    };
                    created_at: string;
                    updated_at: string;
                };
            };
        };
        PaymentIntentConfirmedEvent: {
            id: string;
            type: "payment_intent.confirmed";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    assessment: string;
                    channel: "mtn_momo" | "airtel_money" | "card" | "cash" | "bank" | "agent" | "ussd";
                    status: "Pending" | "Sent" | "Confirmed" | "Failed" | "Expired";
                    amount: number;
                    currency: string;
                    splits: {
                        mda: string;
                        amount: number;
                    }[];
                    aggregator: string;
                    aggregator_reference: string | null;
                    payer_msisdn: string | null;
                    next_action: null;
                    tendered: number | null;
                    change: number | null;
                    failure_reason: string | null;
                    initiated_at: string | null;
                    confirmed_at: string | null;
                    expires_at: string;
                    created_at: string;
                    updated_at: string;
                    reference?: string;
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        PaymentIntentExpiredEvent: {
            id: string;
            type: "payment_intent.expired";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    assessment: string;
                    channel: "mtn_momo" | "airtel_money" | "card" | "cash" | "bank" | "agent" | "ussd";
                    status: "Pending" | "Sent" | "Confirmed" | "Failed" | "Expired";
                    amount: number;
                    currency: string;
                    splits: {
                        mda: string;
                        amount: number;
                    }[];
                    aggregator: string;
                    aggregator_reference: string | null;
                    payer_msisdn: string | null;
                    next_action: null;
                    tendered: number | null;
                    change: number | null;
                    failure_reason: string | null;
                    initiated_at: string | null;
                    confirmed_at: string | null;
                    expires_at: string;
                    created_at: string;
                    updated_at: string;
                    reference?: string;
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        PaymentIntentFailedEvent: {
            id: string;
            type: "payment_intent.failed";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    assessment: string;
                    channel: "mtn_momo" | "airtel_money" | "card" | "cash" | "bank" | "agent" | "ussd";
                    status: "Pending" | "Sent" | "Confirmed" | "Failed" | "Expired";
                    amount: number;
                    currency: string;
                    splits: {
                        mda: string;
                        amount: number;
                    }[];
                    aggregator: string;
                    aggregator_reference: string | null;
                    payer_msisdn: string | null;
                    next_action: null;
                    tendered: number | null;
                    change: number | null;
                    failure_reason: string | null;
                    initiated_at: string | null;
                    confirmed_at: string | null;
                    expires_at: string;
                    created_at: string;
                    updated_at: string;
                    reference?: string;
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        ReceiptIssuedEvent: {
            id: string;
            type: "receipt.issued";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    assessment: string;
                    intent: string;
                    status: "Issued" | "Void";
                    contents: {
                        kind: "payment" | "duplicate" | "late";
                        amount: number;
                        currency: string;
                        channel: string;
                        paid_at: string;
                        payer_initials: string;
                        agencies: {
                            mda: string;
                            amount: number;
                            event: string;
                        }[];
                        other_agencies: number;
                        other_amount: number | null;
                        services: string[];
                        other_services: number;
                    };
                    payload: string;
                    signature: string;
                    kid: string;
                    code: string;
                    url: string;
                    proof: "callback" | "enquiry" | "cash" | "approval" | "simulated" | null;
                    copies: number;
                    voided_at: string | null;
                    replaced_by: string | null;
                    created_at: string;
                    updated_at: string;
                };
            };
        };
        ReceiptVoidedEvent: {
            id: string;
            type: "receipt.voided";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    name: string;
                    assessment: string;
                    intent: string;
                    status: "Issued" | "Void";
                    contents: {
                        kind: "payment" | "duplicate" | "late";
                        amount: number;
                        currency: string;
                        channel: string;
                        paid_at: string;
                        payer_initials: string;
                        agencies: {
                            mda: string;
                            amount: number;
                            event: string;
                        }[];
                        other_agencies: number;
                        other_amount: number | null;
                        services: string[];
                        other_services: number;
                    };
                    payload: string;
                    signature: string;
                    kid: string;
                    code: string;
                    url: string;
                    proof: "callback" | "enquiry" | "cash" | "approval" | "simulated" | null;
                    copies: number;
                    voided_at: string | null;
                    replaced_by: string | null;
                    created_at: string;
                    updated_at: string;
                };
            };
        };
        WebhookTestEvent: {
            id: string;
            type: "webhook.test";
            created_at: string;
            sequence: number;
            data: {
                object: {
                    message: string;
                };
            };
        };
        Error: {
            error: {
                code: "malformed_request" | "unauthenticated" | "invalid_otp" | "invalid_credentials" | "invalid_signature" | "forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "duplicate_email" | "otp_not_issued" | "idempotency_in_progress" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "idempotency_mismatch" | "rate_limited" | "internal_error" | "adapter_failed" | "unavailable" | "adapter_timeout";
                message: string;
                details?: components["schemas"]["ErrorDetail"][];
            };
        };
        ErrorDetail: {
            path: string;
            message: string;
            code?: "collection_pending" | "collection_failed" | "amount_mismatch" | "not_sent" | "already_confirmed" | "not_pending" | "expired" | "being_initiated" | "assessment_not_payable" | "payer_required" | "collection_refused" | "not_found" | "reference_not_payable" | "link_closed" | "nothing_to_pay" | "channel_closed" | "return_url_not_registered" | "currency_not_collected" | "splits_differ" | "agency_not_allowed" | "channel_not_allowed" | "event_reused" | "cash_needs_counter" | "cash_needs_shift" | "cash_limit" | "tendered_too_low" | "cash_in_other_shift" | "shift_closed" | "shift_counted" | "own_reversal" | "not_in_own_shift" | "paid_to_others" | "citizen_filter_required" | "too_many_matches" | "identity_mismatch" | "reference_too_long" | "metadata_invalid" | "not_draft" | "service_not_offered" | "fee_not_approved" | "already_cancelled" | "payment_changed" | "reversal_too_late" | "shift_not_open" | "shift_already_open" | "unpaid_assessments" | "shift_has_collections" | "variance_reason_required" | "no_variance" | "variance_decided" | "sign_on_unmapped" | "sign_on_unverified" | "sign_on_closed" | "sign_on_denied" | "no_password" | "no_webhook_endpoint" | "webhook_disabled" | "being_sent" | "too_many_endpoints" | "notice_withdrawn" | "sandbox_only" | "live_request_pending" | "live_request_decided" | "account_not_active" | "code_taken" | "revision_stale" | "account_missing" | "shifts_open" | "fee_takes_two" | "fee_alone" | "account_change_pending" | "account_change_decided" | "account_change_by_asker" | "too_many_keys" | "key_not_active" | "key_takes_approval" | "origin_not_allowed" | "second_factor_required" | "second_factor_code_required" | "second_factor_code_wrong" | "second_factor_locked" | "passkeys_unavailable" | "passkey_not_accepted" | "too_many_passkeys" | "log_in_lapsed" | "second_factor_not_enrolled" | "second_factor_kept" | "not_independent" | "approval_pending" | "approval_decided" | "approval_by_asker" | "own_account" | "admins_only" | "last_admin" | "staff_not_active" | "staff_active" | "grant_decided" | "grant_by_asker" | "link_not_valid" | "password_too_short" | "password_too_weak" | "key_already_registered" | "invalid_grant" | "unsupported_grant_type" | "invalid_scope";
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            instance: string;
            code: "malformed_request" | "unauthenticated" | "invalid_otp" | "invalid_credentials" | "invalid_signature" | "forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "duplicate_email" | "otp_not_issued" | "idempotency_in_progress" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "idempotency_mismatch" | "rate_limited" | "internal_error" | "adapter_failed" | "unavailable" | "adapter_timeout";
            details?: components["schemas"]["ErrorDetail"][];
        };
    };
    responses: never;
    parameters: {
        IdempotencyKey: string;
        Purpose: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
