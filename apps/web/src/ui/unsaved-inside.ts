import { createContext, type RefObject } from 'react'

/** Where a form tells the dialog around it how to find out whether something in it is unsaved. */
export const UnsavedInside = createContext<RefObject<() => boolean> | null>(null)
