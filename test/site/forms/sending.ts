import type { TestRail } from '../../harness/rail.ts';

/** Sends a form as a browser does that runs no script; with a file, in parts. */
export function sendForm(
  { origin }: TestRail,
  path: string,
  cookie: string | null,
  fields: Readonly<Record<string, string | Blob>>,
): Promise<Response> {
  const files = Object.values(fields).some((value) => value instanceof Blob);
  const form = files ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    if (value instanceof Blob) (form as FormData).set(name, value, 'a "file" of theirs.csv');
    else form.set(name, value);
  return fetch(origin + path, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: { origin, ...(cookie !== null && { cookie }) },
  });
}
