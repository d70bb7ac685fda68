/** A program that asks the rail once. */
export interface FirstCall {
  readonly name: string;
  readonly text: string;
}

/** Programs that ask with a key whose it is: what somebody runs who has just got it. */
export function firstCalls(origin: string, key: string): FirstCall[] {
  const address = `${origin}/v1/me`;
  return [
    { name: 'curl', text: `curl ${address} \\\n  -H 'Authorization: Bearer ${key}'` },
    {
      name: 'Node.js',
      text: `const answer = await fetch('${address}', {
  headers: { authorization: 'Bearer ${key}' },
});
console.log(answer.status, await answer.json());`,
    },
    {
      name: 'Python',
      text: `import json
import urllib.request

request = urllib.request.Request(
    '${address}',
    headers={'Authorization': 'Bearer ${key}'},
)
with urllib.request.urlopen(request) as answer:
    print(answer.status, json.load(answer))`,
    },
  ];
}
