/** The person at this device, as a user of the database. */
export const USER = "you";
