/** In which states a store can be, in words: the API says why where it knows. */
import type { ProfileStatus, StoreFactsQuery } from "../../graphql/generated/graphql";

export type Store = NonNullable<StoreFactsQuery["profile"]>;

interface Status {
  word: string;
  sentence: string;
  tone: "good" | "warn" | "bad" | "plain";
}

export const STATUSES: Record<ProfileStatus, Status> = {
  READY: { word: "Ready", sentence: "Can be read and written.", tone: "good" },
  EMPTY: { word: "Empty", sentence: "There is no store yet. Hermes makes one with the first conversation of this profile.", tone: "plain" },
  READ_ONLY: { word: "Read-only", sentence: "Can be read, not written.", tone: "warn" },
  BUSY: { word: "Busy", sentence: "Another program holds it at the moment. Look again in a moment.", tone: "warn" },
  DAMAGED: { word: "Damaged", sentence: "It is no sound database. Keep a copy of the file with its sidecars before anything else is tried.", tone: "bad" },
  UNREACHABLE: { word: "Unreachable", sentence: "It cannot be opened. See that it is there and that this user may open it, then look again.", tone: "bad" },
  UNSUPPORTED: { word: "Unsupported", sentence: "It is a database that this server does not know, and leaves alone.", tone: "bad" },
};

export const isReadable = (status: ProfileStatus): boolean => status === "READY" || status === "READ_ONLY";
