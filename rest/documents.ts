import { globSync, readFileSync } from 'node:fs';
import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  Kind,
  parse,
  visit,
} from 'graphql';

const FOLDER = new URL('./', import.meta.url);

/** Fragments by their name. */
export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Audiences of the endpoints: the folders of `operations/`, and the floors of `src` that they lead to. */
export const AUDIENCES = ['collection', 'counter', 'identity', 'accounts', 'console', 'oversight'] as const;
export type Audience = (typeof AUDIENCES)[number];

export interface OperationDocument {
  /** Its path below `operations/`. */
  readonly file: string;
  readonly audience: Audience;
  /** The folder in that of its audience: `payments`. */
  readonly domain: string;
  readonly operation: OperationDefinitionNode;
}

/** Reads what `operations/` publishes. */
export function readOperations(): OperationDocument[] {
  return listDefinitions('operations', Kind.OPERATION_DEFINITION).map(({ file, node }) => {
    const audience = AUDIENCES.find((known) => file.startsWith(`${known}/`));
    if (!audience)
      throw new Error(`rest/operations/${file}: its first folder has to be one of ${AUDIENCES.join(', ')}`);
    return { file, audience, domain: file.split('/')[1]!, operation: node };
  });
}

/** Reads `fragments/`, which all operations share. */
export function readFragments(): Fragments {
  return new Map(listDefinitions('fragments', Kind.FRAGMENT_DEFINITION).map(({ node }) => [node.name.value, node]));
}

/** Reads the directives of operation documents. */
export function readDirectives(): DocumentNode {
  return parse(readFileSync(new URL('directives.graphql', FOLDER), 'utf8'));
}

/** Definitions in the documents of a folder, all of one kind. */
function listDefinitions<K extends DefinitionNode['kind']>(
  folder: string,
  kind: K,
): { file: string; node: DefinitionNode & { kind: K } }[] {
  const cwd = new URL(`${folder}/`, FOLDER);
  const files = globSync('**/*.graphql', { cwd }).toSorted();
  return files.flatMap((file) =>
    parse(readFileSync(new URL(file, cwd), 'utf8')).definitions.map((node) => {
      if (!isOfKind(node, kind)) throw new Error(`rest/${folder}/${file}: ${node.kind} does not belong in ${folder}/`);
      return { file, node };
    }),
  );
}

function isOfKind<K extends DefinitionNode['kind']>(
  node: DefinitionNode,
  kind: K,
): node is DefinitionNode & { kind: K } {
  return node.kind === kind;
}

/** The fragments that a definition uses, those used by them included. */
export function fragmentsOf(
  definition: OperationDefinitionNode | FragmentDefinitionNode,
  known: Fragments,
  found = new Set<FragmentDefinitionNode>(),
): Set<FragmentDefinitionNode> {
  visit(definition, {
    FragmentSpread({ name }) {
      const fragment = known.get(name.value);
      if (!fragment) throw new Error(`There is no fragment ${name.value}`);
      if (!found.has(fragment)) fragmentsOf(fragment, known, found.add(fragment));
    },
  });
  return found;
}
