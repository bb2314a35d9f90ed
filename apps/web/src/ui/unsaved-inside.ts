import { createContext, type RefObject } from 'react'

/** Lets a form tell the dialog around it whether it has unsaved changes. */
export const UnsavedInside = createContext<RefObject<() => boolean> | null>(null)
