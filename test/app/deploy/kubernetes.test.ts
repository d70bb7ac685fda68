import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../../src/platform/config/config.ts';
import { ROOT, find, kustomization, listPods, manifests, version } from './manifests.ts';

it('has manifests of the types that Kubernetes publishes, and no member that it does not know', () => {
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'manifests-'));
  try {
    // As literals, of which the compiler refuses a member that the type does not have.
    const lines = manifests.map(
      ({ file, kind, content }, index) =>
        `const m${index}: Kinds['${kind}'] = /* ${file} */ ${JSON.stringify(content)}; void m${index};`,
    );
    const source = `import type { Kinds } from '${join(ROOT, 'test/app/deploy/manifests.ts')}';\n${lines.join('\n')}\n`;
    writeFileSync(join(folder, 'manifests.ts'), source);
    const config = { extends: join(ROOT, 'tsconfig.json'), include: ['manifests.ts'], exclude: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    expect(spawnSync('tsc', ['--project', folder], { encoding: 'utf8' })).toMatchObject({ status: 0, stdout: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('lists all of them for kustomize, with the version of the rail', () => {
  expect(kustomization.resources.toSorted()).toEqual([...new Set(manifests.map(({ file }) => file))]);
  expect(kustomization.images.map(({ name, newTag }) => [name, newTag])).toEqual([['revenue-rail', version]]);
  expect(listPods().map(({ container }) => container.image)).toEqual(listPods().map(() => 'revenue-rail'));
});

it.each(listPods())('runs $name without rights, in a root that nobody writes to', ({ pod, container }) => {
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  const mounted = new Map(container.volumeMounts!.map(({ name, mountPath }) => [mountPath, name]));
  expect([...mounted.keys()]).toEqual(expect.arrayContaining(['/var/lib/revenue-rail', '/tmp']));
  expect([...mounted.values()].toSorted()).toEqual(pod.volumes!.map(({ name }) => name).toSorted());
  expect(container.resources!.limits!.memory).toBeDefined();
});

it('gives no process but those of the owner the database of the owner', () => {
  const secrets = listPods().map(({ name, container }) => [
    name,
    container.envFrom!.flatMap(({ secretRef }) => secretRef?.name ?? []),
  ]);
  expect(secrets).toEqual([
    ['rail', ['revenue-rail']],
    ['migrate', ['revenue-rail', 'revenue-rail-owner']],
    ['archive', ['revenue-rail', 'revenue-rail-owner']],
  ]);
});

it('sets what the configuration takes, and leaves time to stop in', () => {
  const config = readConfig({
    ...find('ConfigMap').data,
    DATABASE_URL: 'postgresql://rail@db.example.org/rail',
    SECRET_KEY: 'a-secret-of-at-least-32-characters',
    SMTP_URL: 'smtps://mail.example.org',
  });
  expect(config).toMatchObject({ mode: 'live', migrate: false, trustProxy: 1, baseUrl: 'https://rail.example.org' });
  const grace = find('Deployment').spec!.template.spec!.terminationGracePeriodSeconds!;
  expect(grace).toBeGreaterThan(Math.max(10, config.drainSeconds + 5));
});

it('leads requests and probes to the ports of the image', () => {
  const { container } = listPods()[0]!;
  const ports = Object.fromEntries(container.ports!.map(({ name, containerPort }) => [name, containerPort]));
  expect(ports).toEqual({ http: 4000, ops: 9100 });
  expect(find('Service').spec!.ports!.map(({ targetPort }) => targetPort)).toEqual(['http']);
  const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
  expect(probes.map((probe) => `${probe!.httpGet!.path} ${probe!.httpGet!.port}`)).toEqual([
    '/readyz ops',
    '/readyz ops',
    '/healthz ops',
  ]);
  const allowed = find('NetworkPolicy').spec!.ingress!.flatMap(({ ports: open }) => open!.map(({ port }) => port));
  expect(allowed).toEqual(Object.values(ports));
});

it('keeps one process when a machine is taken out of service', () => {
  const { spec } = find('PodDisruptionBudget');
  const { spec: rail } = find('Deployment');
  expect(Number(spec!.minAvailable)).toBeLessThan(rail!.replicas!);
  for (const selector of [
    spec!.selector,
    find('Service').spec!.selector && { matchLabels: find('Service').spec!.selector },
  ])
    expect(selector).toEqual(rail!.selector);
  expect(rail!.template.metadata!.labels).toMatchObject(rail!.selector.matchLabels!);
});

it('has the proxy write no log of addresses, which hold the secrets of links', () => {
  const { annotations } = find('Ingress').metadata as { annotations?: Readonly<Record<string, string>> };
  expect(annotations).toMatchObject({ 'nginx.ingress.kubernetes.io/enable-access-log': 'false' });
});
