import type { Answer, Fields } from "./toolAnswer";
import type { Call } from "./transcript";
import type { Rest } from "./useFullMessage";

/** What a call unfolds from. */
export interface ToolViewProps {
  call: Call;
  args: Fields;
  /** Null where nothing answered. */
  answer: Answer | null;
  /** Where the answer is cut: how much there is. */
  rest?: Rest;
  isFailed: boolean;
  calledAt: string | null;
}
