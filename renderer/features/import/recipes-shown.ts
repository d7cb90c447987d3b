// Whether the list of recipes is open.
import { create } from 'zustand';

export const useRecipesShown = create<{ readonly isShown: boolean }>()(() => ({ isShown: false }));

export const showRecipes = (isShown: boolean): void => useRecipesShown.setState({ isShown });
