/** The description of the REST API, as far as pages show it: OpenAPI, which the API publishes of itself. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Message }>>;
  /** The reasons of refusals, each with what it means. */
  readonly 'x-reasons': Readonly<Record<string, string>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, { readonly description: string }>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

interface Reference {
  readonly $ref: string;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly 'x-task'?: string;
  readonly 'x-scope'?: string;
  readonly 'x-roles'?: readonly string[];
  readonly 'x-people'?: string;
  readonly 'x-events'?: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, Reference | { readonly description: string; readonly content?: Readonly<Record<string, Content>> }>
  >;
}

interface Message {
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: { readonly content: Readonly<Record<string, Content>> };
}

/** Part that a description refers to, by the name of its kind: `#/components/schemas/Intent`. */
export function follow<Kind extends keyof Description['components'], Part extends object>(
  { components }: Description,
  kind: Kind,
  part: Part | Reference,
): Part | Description['components'][Kind][string] {
  if (!('$ref' in part)) return part;
  const name = part.$ref.split('/').at(-1)!;
  return components[kind][name] as Description['components'][Kind][string];
}
