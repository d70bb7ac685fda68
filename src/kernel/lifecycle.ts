/** Which actions lead from which states to which; what is not written in a lifecycle is refused. */
export type Lifecycle<Status extends string> = Readonly<Record<string, { readonly from: readonly Status[]; readonly to: Status }>>;

/** Whether an action is open to something in a state. */
export function allows<Status extends string>(action: { readonly from: readonly Status[] }, status: Status): boolean {
  return action.from.includes(status);
}
