/** What an action does to the state of something. */
export interface Edge<Status extends string = string> {
  /** The states in which the action is open. */
  readonly from: readonly Status[];
  readonly to: Status;
  /** The type of the message that integrators get of it. */
  readonly emits?: string;
}

/** Which actions lead from which states to which; what is not written in a lifecycle is refused. */
export type Lifecycle<Status extends string> = Readonly<Record<string, Edge<Status>>>;

/** Whether an action is open to something in a state. */
export function allows<Status extends string>(action: Pick<Edge<Status>, 'from'>, status: Status): boolean {
  return action.from.includes(status);
}
