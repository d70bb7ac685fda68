/** What a container of an image is started with. */
export interface Image {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly workdir: string;
  readonly volumes: readonly string[];
  readonly cmd: readonly string[];
  readonly healthcheck: readonly string[];
}

/** What a root folder has on top of its own files. */
export interface Mounts {
  readonly binds: readonly (readonly [source: string, target: string])[];
  /** Empty folders in memory that the user of the image may write to. */
  readonly tmpfs: readonly string[];
  readonly readOnly: boolean;
}

/**
 * The command that runs another in the root folder of an image, as a container engine would: as process 1 of its own
 * process and mount namespaces, as the user of the image, with no other environment than the one that is given. The
 * network is that of the machine.
 */
export function enter(
  { root, env, user, workdir }: Pick<Image, 'root' | 'env' | 'user' | 'workdir'>,
  { binds, tmpfs, readOnly }: Mounts,
  command: readonly string[],
): string[] {
  const [uid, gid] = user.split(':');
  const mounts = [
    'mount --bind "$ROOT" "$ROOT"',
    'mount --rbind /dev "$ROOT/dev"',
    'mount -t proc proc "$ROOT/proc"',
    ...binds.flatMap(([source, target]) => [
      `if [ -d ${source} ]; then mkdir -p "$ROOT${target}"; elif [ ! -e "$ROOT${target}" ]; then install -D /dev/null "$ROOT${target}"; fi`,
      `mount --bind ${source} "$ROOT${target}"`,
    ]),
    ...(readOnly ? ['mount -o remount,bind,ro "$ROOT"'] : []),
    ...tmpfs.map((path) => `mount -t tmpfs -o mode=700,uid=${uid},gid=${gid} tmpfs "$ROOT${path}"`),
  ];
  const within = ['/usr/bin/env', '-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  const script = `set -e; ROOT=$1; shift; ${mounts.join('; ')}; exec chroot --userspec=${user} "$ROOT" "$@"`;
  return ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, '-', root].concat(
    within,
    ['sh', '-c', `cd ${workdir} && exec "$@"`, '-'],
    command,
  );
}
