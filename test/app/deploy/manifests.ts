import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { CronJob, Job } from 'kubernetes-types/batch/v1.d.ts';
import type {
  ConfigMap,
  Container,
  Namespace,
  PersistentVolumeClaim,
  PodSpec,
  Service,
} from 'kubernetes-types/core/v1.d.ts';
import type { Ingress, NetworkPolicy } from 'kubernetes-types/networking/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { parse, parseAllDocuments } from 'yaml';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDER = join(ROOT, 'deploy/kubernetes');

/** The repository's package.json. */
export const { version, scripts, optionalDependencies } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
) as {
  version: string;
  scripts: { start: string };
  optionalDependencies: Record<string, string>;
};

/** The types that Kubernetes publishes for the kinds that manifests here are of. */
export interface Kinds {
  ConfigMap: ConfigMap;
  CronJob: CronJob;
  Deployment: Deployment;
  Ingress: Ingress;
  Job: Job;
  Namespace: Namespace;
  NetworkPolicy: NetworkPolicy;
  PersistentVolumeClaim: PersistentVolumeClaim;
  PodDisruptionBudget: PodDisruptionBudget;
  Service: Service;
}

export interface Manifest {
  readonly file: string;
  readonly kind: keyof Kinds;
  readonly content: object;
}

export const kustomization = parse(readFileSync(join(FOLDER, 'kustomization.yaml'), 'utf8')) as {
  resources: string[];
  images: { name: string; newTag: string }[];
};

export const manifests: readonly Manifest[] = globSync('*.yaml', { cwd: FOLDER })
  .filter((file) => file !== 'kustomization.yaml')
  .toSorted()
  .flatMap((file) =>
    parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => {
      const content = document.toJS() as { kind: keyof Kinds };
      return { file: basename(file), kind: content.kind, content };
    }),
  );

export function find<K extends keyof Kinds>(kind: K): Kinds[K] {
  const found = manifests.filter((manifest) => manifest.kind === kind);
  if (found.length !== 1) throw new Error(`There are ${found.length} manifests of the kind ${kind}`);
  return found[0]!.content;
}

/** The pods that are started, each with its one container. */
export function listPods(): { name: string; pod: PodSpec; container: Container }[] {
  const pods = {
    rail: find('Deployment').spec!.template.spec!,
    migrate: find('Job').spec!.template.spec!,
    archive: find('CronJob').spec!.jobTemplate.spec!.template.spec!,
  };
  return Object.entries(pods).map(([name, pod]) => ({ name, pod, container: pod.containers[0]! }));
}

export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly [property: string]: unknown;
}

export const compose = parse(readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8'), { merge: true }) as {
  services: Record<string, ComposeService>;
  volumes: Record<string, null>;
};
