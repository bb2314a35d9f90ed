import {
  type ActionIconProps,
  type AlertProps,
  type ButtonProps,
  type CardProps,
  type CheckboxProps,
  type CSSVariablesResolver,
  createTheme,
  type DrawerProps,
  defaultVariantColorsResolver,
  type InputProps,
  type InputWrapperProps,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
  type MenuProps,
  type ModalProps,
  type MultiSelectProps,
  type PasswordInputProps,
  type TooltipProps,
} from '@mantine/core'

/** White on 7 has a contrast of 5.5:1, black on 5 of 7.1:1. */
const teal: MantineColorsTuple = [
  '#eefaf8',
  '#d5f0ec',
  '#a9ded7',
  '#7accc1',
  '#52bbae',
  '#34aa9c',
  '#1f9286',
  '#0f766e',
  '#0b5f59',
  '#084a46',
]

/** White on 7 has a contrast of 5.6:1, black on 5 of 6.6:1. */
const red: MantineColorsTuple = [
  '#fff1f1',
  '#ffe0e0',
  '#ffc5c5',
  '#ffa0a0',
  '#fb8181',
  '#f26d6d',
  '#dc4343',
  '#c62b2b',
  '#a82020',
  '#861b1b',
]

/** 6 is the first shade that is readable on white (5:1). */
const gray: MantineColorsTuple = [
  '#fafafa',
  '#f4f4f5',
  '#e8e8ea',
  '#dcdcdf',
  '#c6c6cb',
  '#9b9ba3',
  '#6b6b74',
  '#52525b',
  '#3a3a42',
  '#232329',
]

/** 7 is the page, 6 a surface, 4 a border, 2 dimmed text (6:1 on 6). */
const dark: MantineColorsTuple = [
  '#d6d6da',
  '#bcbcc3',
  '#a0a0a9',
  '#7c7c86',
  '#3f3f46',
  '#303036',
  '#222226',
  '#18181b',
  '#111113',
  '#0a0a0b',
]

const sans = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"

/** Controls are 32 px high instead of Mantine's 36. */
const compact = { xs: '28px', sm: '32px', md: '36px' } as const
const heightOf = (size: unknown): string | undefined =>
  size === 'xs' || size === 'sm' || size === 'md' ? compact[size] : undefined

/** Text on a filled background; Mantine's autoContrast has one colour for both schemes. */
const onFilled = 'var(--kustos-on-filled)'

/** Otherwise a dialog's header would be a second banner landmark. */
const dialogHeader = { header: { role: 'presentation' } }

export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 5 },
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input)
    return input.variant === 'filled' ? { ...colors, color: onFilled } : colors
  },
  colors: { teal, red, gray, dark },
  black: '#1b1b1f',
  defaultRadius: 'sm',
  fontFamily: sans,
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '18px' },
  headings: {
    fontFamily: sans,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '1.4' },
      h2: { fontSize: '16px', lineHeight: '1.4' },
      h3: { fontSize: '14px', lineHeight: '1.5' },
    },
  },
  // Plain objects instead of `Menu.extend`, so that the login screen does not load these components.
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } satisfies Partial<ActionIconProps> },
    Alert: { defaultProps: { variant: 'outline', p: 'sm' } satisfies Partial<AlertProps> },
    Button: {
      defaultProps: { size: 'sm' } satisfies Partial<ButtonProps>,
      vars: (_: unknown, { size }: ButtonProps) => ({ root: { '--button-height': heightOf(size) } }),
    },
    Card: { defaultProps: { withBorder: true, padding: 'md' } satisfies Partial<CardProps> },
    Input: {
      defaultProps: { size: 'sm' } satisfies Partial<InputProps>,
      vars: (_: unknown, { size }: InputProps) => ({
        wrapper: { '--input-height': heightOf(size) },
      }),
    },
    InputWrapper: { defaultProps: { size: 'sm' } satisfies Partial<InputWrapperProps> },
    // The focus placeholder is not a valid child of a menu.
    Menu: {
      defaultProps: { shadow: 'sm', withInitialFocusPlaceholder: false } satisfies Partial<MenuProps>,
    },
    Checkbox: { defaultProps: { iconColor: onFilled } satisfies Partial<CheckboxProps> },
    Drawer: {
      defaultProps: { attributes: dialogHeader } satisfies Partial<DrawerProps>,
      styles: { title: { fontWeight: 600 } },
    },
    Modal: {
      defaultProps: { centered: true, shadow: 'sm', attributes: dialogHeader } satisfies Partial<ModalProps>,
      styles: { title: { fontWeight: 600 } },
    },
    // Enter takes what is found first, instead of sending the form without it.
    MultiSelect: { defaultProps: { selectFirstOptionOnChange: true } satisfies Partial<MultiSelectProps> },
    Pagination: { vars: () => ({ root: { '--pagination-active-color': onFilled } }) },
    PasswordInput: {
      defaultProps: { visibilityToggleFocusable: true } satisfies Partial<PasswordInputProps>,
    },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } satisfies Partial<TooltipProps> },
  },
})

/** Mantine's defaults for these have less contrast than 4.5:1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--kustos-on-filled': 'var(--mantine-color-white)',
    '--mantine-color-default-border': 'var(--mantine-color-gray-3)',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-6)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': 'var(--mantine-color-red-7)',
  },
  dark: {
    '--kustos-on-filled': 'var(--mantine-color-dark-9)',
    '--mantine-primary-color-contrast': 'var(--mantine-color-dark-9)',
    '--mantine-color-anchor': 'var(--mantine-color-teal-3)',
    '--mantine-color-teal-light': '#12302d',
    '--mantine-color-disabled': 'var(--mantine-color-dark-5)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
})

/** public/before.js reads this key before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'kustos.colorScheme' })
