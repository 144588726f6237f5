// Cohorts: segments of viewers that the person can be counted among.
import type { Film } from "./catalogue.ts";

/** A cohort. */
export interface Cohort {
  id: string;
  name: string;
  /** Whether its viewers care for a film. */
  likes(film: Film): boolean;
}

export const COHORTS: readonly Cohort[] = [
  {
    id: "night-owls",
    name: "Night owls",
    likes: ({ genre }) => genre === "Thriller/Suspense" || genre === "Black Comedy",
  },
  {
    id: "matinee",
    name: "Matinee goers",
    likes: ({ genre, story }) => genre === "Adventure" || genre === "Comedy" || story === "Kids Fiction",
  },
];

/** What a cohort is called; null where there is none of that id. */
export function cohortName(id: string | null): string | null {
  return COHORTS.find((cohort) => cohort.id === id)?.name ?? null;
}
